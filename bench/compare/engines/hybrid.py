"""The plain hybrid: half BM25 over stemmed English words, half all-MiniLM-L6-v2, after min-max.

What most people build first. Every document is scored by both; each score is stretched to 0..1
over the documents of the store, and their mean ranks.
"""

import os
from pathlib import Path

import bm25s
import numpy as np
import onnxruntime
import Stemmer
from tokenizers import Tokenizer
from vectors import forward

VARIANTS = ["hybrid"]
# As sentence-transformers cuts it.
TOKENS = 256

kept = None


def prepare(vectors):
    global kept
    kept = vectors


def session():
    return onnxruntime.InferenceSession(
        str(Path(os.environ["MINILM"]) / "model.onnx"), providers=["CPUExecutionProvider"]
    )


def tokenizer():
    return Tokenizer.from_file(str(Path(os.environ["MINILM"]) / "tokenizer.json"))


class Engine:
    def __init__(self, _folder):
        self.stemmer = Stemmer.Stemmer("english")
        self.keys, self.texts, self.index = [], [], None
        self.vectors = np.zeros((0, 384), np.float32)
        self.model = self.encoder = None

    def store(self, documents):
        self.keys += [key for key, _ in documents]
        self.texts += [document["text"] for _, document in documents]
        self.index = bm25s.BM25()
        self.index.index(self.words(self.texts), show_progress=False)
        new = self.embed([document["text"] for _, document in documents])
        self.vectors = np.concatenate([self.vectors, new])

    def words(self, texts):
        return bm25s.tokenize(texts, stopwords="en", stemmer=self.stemmer, show_progress=False)

    def embed(self, texts):
        if kept.active:
            return kept.embed(texts, session, tokenizer, TOKENS)
        if self.model is None:
            self.model, self.encoder = session(), tokenizer()
            self.encoder.no_padding()
            self.encoder.enable_truncation(max_length=TOKENS)
        encoded = [one.ids for one in self.encoder.encode_batch(texts)]
        rows = np.zeros((len(texts), 384), np.float32)
        # Of like length together: padding costs time.
        order = sorted(range(len(texts)), key=lambda at: len(encoded[at]))
        for start in range(0, len(order), 16):
            batch = order[start : start + 16]
            rows[batch] = forward([encoded[at] for at in batch], self.model)
        return rows

    def search(self, query, k, _variant):
        places, found = self.index.retrieve(
            self.words([query]), k=len(self.keys), show_progress=False
        )
        words = np.zeros(len(self.keys))
        words[places[0]] = found[0]
        meaning = self.vectors @ self.embed([query])[0]
        scores = 0.5 * stretched(words) + 0.5 * stretched(meaning)
        best = np.argsort(-scores, kind="stable")[:k]
        return [(self.keys[at], scores[at]) for at in best]

    def close(self):
        pass


def stretched(scores):
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros(len(scores))
