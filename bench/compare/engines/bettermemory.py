"""bettermemory: memories as files, found by words alone (keywords and BM25, fused)."""

from bettermemory.handlers.search import resolve_search_pool
from bettermemory.search import search
from bettermemory.store import Store

VARIANTS = ["bettermemory"]


def prepare(_vectors):
    pass


class Engine:
    def __init__(self, folder):
        self.memories = Store.open(folder)
        self.keys = {}

    def store(self, documents):
        for key, document in documents:
            written = self.memories.write(content=document["text"], scopes=["bench"])
            self.keys[written.id] = key

    def search(self, query, k, _variant):
        pool = resolve_search_pool(self.memories, query, min_survivors=k)
        hits = search(
            pool.memories,
            query,
            max_results=k,
            corpus_stats_provider=pool.corpus_stats_provider,
        )
        return [(self.keys[hit.id], hit.score) for hit in hits]

    def close(self):
        pass
