"""bm25s: BM25 over stemmed English words, nothing else. The plain baseline."""

import bm25s
import Stemmer

VARIANTS = ["bm25s"]


def prepare(_vectors):
    pass


class Engine:
    def __init__(self, _folder):
        self.stemmer = Stemmer.Stemmer("english")
        self.keys, self.texts, self.index = [], [], None

    def store(self, documents):
        self.keys += [key for key, _ in documents]
        self.texts += [document["text"] for _, document in documents]
        # It has no way to add to an index: all is indexed anew.
        self.index = bm25s.BM25()
        self.index.index(self.words(self.texts), show_progress=False)

    def words(self, texts):
        return bm25s.tokenize(texts, stopwords="en", stemmer=self.stemmer, show_progress=False)

    def search(self, query, k, _variant):
        places, scores = self.index.retrieve(
            self.words([query]), k=min(k, len(self.keys)), show_progress=False
        )
        pairs = zip(places[0], scores[0])
        return [(self.keys[place], score) for place, score in pairs if score > 0]

    def close(self):
        pass
