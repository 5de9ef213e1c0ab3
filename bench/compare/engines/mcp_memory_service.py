"""mcp-memory-service: its SQLite-vec storage with its ONNX embeddings."""

import asyncio
import logging

from mcp_memory_service.embeddings.onnx_embeddings import ONNXEmbeddingModel
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage
from mcp_memory_service.utils.hashing import generate_content_hash

# Its default search is by meaning alone; it has BM25 and meaning together as well.
VARIANTS = ["mcp-memory-service", "mcp-memory-service hybrid"]


def prepare(vectors):
    logging.disable(logging.WARNING)
    encode = ONNXEmbeddingModel.encode

    def kept(self, texts, convert_to_numpy=True):
        if vectors.active and not isinstance(texts, str):
            # It cuts at 128 tokens: it takes the tokenizer's file as it is.
            return vectors.embed(list(texts), lambda: self._model, lambda: self._tokenizer, 128)
        return encode(self, texts, convert_to_numpy)

    ONNXEmbeddingModel.encode = kept


class Engine:
    def __init__(self, folder):
        self.loop = asyncio.new_event_loop()
        self.storage = SqliteVecMemoryStorage(f"{folder}/memories.db")
        self.loop.run_until_complete(self.storage.initialize())
        model = type(self.storage.embedding_model).__name__
        if model != "ONNXEmbeddingModel":
            raise RuntimeError(f"it fell back to {model}: its model is not where it looks")
        self.keys = {}

    def store(self, documents):
        for start in range(0, len(documents), 32):
            memories = []
            for key, document in documents[start : start + 32]:
                hash = generate_content_hash(document["text"])
                # The same text twice is one memory: the first.
                if hash not in self.keys:
                    self.keys[hash] = key
                    memories.append(Memory(content=document["text"], content_hash=hash))
            for done, why in self.loop.run_until_complete(self.storage.store_batch(memories)):
                if not done:
                    raise RuntimeError(why)

    def search(self, query, k, variant):
        hybrid = variant.endswith("hybrid")
        retrieve = self.storage.retrieve_hybrid if hybrid else self.storage.retrieve
        results = self.loop.run_until_complete(retrieve(query, n_results=k))
        return [(self.keys[one.memory.content_hash], one.relevance_score) for one in results]

    def close(self):
        self.loop.run_until_complete(self.storage.close())
        self.loop.close()
