"""Adds this engine to the table of the peers: it runs the unchanged harness of the shared folder with our engines added.

    cmake -S . -B build/bench-native && cmake --build build/bench-native --target vectors_row
    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install -r ../shared/peers/vector/requirements.txt
    /tmp/peers/bin/python bench/vectors/peers.py --set passages --out knn.jsonl \
        --engines quarry-auto,quarry-sketch,quarry-sq8,quarry-exact,symqg-r32,glass-sq8u,hnswlib,usearch-f32
    /tmp/peers/bin/python bench/vectors/peers.py --set passages --mode filter --out filter.jsonl \
        --engines quarry-exact,faiss-flat,faiss-flat-panorama
    /tmp/peers/bin/python bench/vectors/peers.py --report knn.jsonl

All arguments are those of the harness (see its README.md). It measures one thread of one process in interleaved rounds, as
CPU time, and recall against double precision with ties. The environment variable SHARED_DIR names the shared folder, and
VECTORS_ROW names our library if it is not in build/bench-native. The engines are quarry-auto (the choice of the planner),
quarry-sketch and quarry-sq8 (graph walks on one of the two planes) and quarry-exact (the cascade, or the choice of the
planner for a filter).
"""
import ctypes
import importlib.util
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
SHARED = os.environ.get('SHARED_DIR', os.path.join(ROOT, '..', 'shared'))
LIBRARY = os.environ.get('VECTORS_ROW', os.path.join(ROOT, 'build', 'bench-native', 'libvectors_row.so'))
AUTO, CASCADE, SKETCH_WALK, FULL_WALK = 0, 2, 3, 4  # VectorPath of native/core/vector/vector_search.h
ISA = ['scalar', 'avx2', 'avx-vnni', 'avx512', 'neon']
LINKS, CONSTRUCTION_BEAM = 16, 128
EXACT_BEAM = 800  # Exact paths do not read it.

sys.dont_write_bytecode = True  # Nothing is written into the shared folder.
spec = importlib.util.spec_from_file_location('bench', os.path.join(SHARED, 'peers', 'vector', 'bench.py'))
bench = importlib.util.module_from_spec(spec)
spec.loader.exec_module(bench)
np = bench.np


def load_library():
    library = ctypes.CDLL(LIBRARY)
    library.quarry_vectors_new.restype = ctypes.c_void_p
    library.quarry_vectors_figure.restype = ctypes.c_double
    return library


def address(array):
    return ctypes.c_void_p(array.ctypes.data)


class Quarry(bench.Engine):
    """All engines on one data set share one segment, which the first of them builds."""
    built = {}
    path = AUTO

    def build(self):
        if self.D.set not in Quarry.built:
            library = load_library()
            handle = library.quarry_vectors_new(address(self.D.base), self.n, self.d, LINKS, CONSTRUCTION_BEAM)
            if not handle:
                raise RuntimeError('the build failed')
            Quarry.built[self.D.set] = library, ctypes.c_void_p(handle)
        self.library, self.handle = Quarry.built[self.D.set]
        sketch, hot, isa = (self.library.quarry_vectors_figure(self.handle, i) for i in range(3))
        self.note = f'sketch {sketch:.0f}, hot bytes {hot:.0f}, {ISA[int(isa)]}'

    def params(self):
        return bench.EF

    def search(self, q, p, bits=None):
        out = np.empty((len(q), bench.K), np.int32)
        words = address(bits) if bits is not None else None
        self.library.quarry_vectors_search(
            self.handle, address(q), len(q), bench.K, self.path, p or EXACT_BEAM, words, address(out))
        return out

    def filt(self, q, p, mask):
        return self.search(q, p, self.D.bits(mask))


@bench.engine('quarry-auto')
class QuarryAuto(Quarry):
    pass


@bench.engine('quarry-sketch')
class QuarrySketch(Quarry):
    path = SKETCH_WALK


@bench.engine('quarry-sq8')
class QuarryFull(Quarry):
    path = FULL_WALK


@bench.engine('quarry-exact')
class QuarryExact(Quarry):
    path = CASCADE

    def params(self):
        return [None]

    def filt(self, q, p, mask):
        self.path = AUTO
        return super().filt(q, p, mask)


if __name__ == '__main__':
    bench.main()
