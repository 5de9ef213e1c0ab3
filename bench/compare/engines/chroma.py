"""Chroma as it comes: a persistent collection with the default embedding function and index."""

import chromadb
from chromadb.config import Settings
from chromadb.utils.embedding_functions import ONNXMiniLM_L6_V2

# Its default embedding function loads the model anew for every question. A careful user keeps one
# in memory, so both are timed; they find the same.
KEPT = "chroma, model kept"
VARIANTS = ["chroma", KEPT]


def prepare(vectors):
    """With --cache, documents are embedded through the kept vectors."""
    forward = ONNXMiniLM_L6_V2._forward

    def kept(self, documents, batch_size=32):
        if vectors.active:
            texts = list(documents)
            return vectors.embed(texts, lambda: self.model, lambda: self.tokenizer, 256)
        return forward(self, documents, batch_size)

    ONNXMiniLM_L6_V2._forward = kept
    if vectors.untimed and KEPT in VARIANTS:
        VARIANTS.remove(KEPT)


class Engine:
    def __init__(self, folder):
        settings = Settings(anonymized_telemetry=False)
        self.client = chromadb.PersistentClient(folder, settings=settings)
        self.collection = self.client.create_collection("memories")
        self.embed = ONNXMiniLM_L6_V2()
        self.stored = 0

    def store(self, documents):
        for start in range(0, len(documents), 500):
            chunk = documents[start : start + 500]
            self.collection.add(
                ids=[key for key, _ in chunk],
                documents=[document["text"] for _, document in chunk],
            )
        self.stored += len(documents)

    def search(self, query, k, variant):
        k = min(k, self.stored)
        if variant == KEPT:
            found = self.collection.query(query_embeddings=self.embed([query]), n_results=k)
        else:
            found = self.collection.query(query_texts=[query], n_results=k)
        # Squared distances of unit vectors: two less twice the cosine.
        return [
            (key, 1.0 - distance / 2.0)
            for key, distance in zip(found["ids"][0], found["distances"][0])
        ]

    def close(self):
        self.client.delete_collection("memories")
        self.client.clear_system_cache()
