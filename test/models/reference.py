"""What the tests of local models are compared with: reads {"texts", "maxTokens"} from stdin and prints for each text the ids of
the library `tokenizers` and, for the first `vectors` texts, the vector of the model in 32-bit floats.

    reference.py FOLDER_OF_WEIGHTS FOLDER_OF_MINILM_SERVICE
"""
import json
import sys

sys.path.insert(0, sys.argv[2])
from minilm_service import Model  # noqa: E402

request = json.load(sys.stdin)
model = Model(sys.argv[1], request['maxTokens'])
texts = request['texts']
ids = [encoding.ids for encoding in model.tokenizer.encode_batch(texts)]
vectors = [[float(value) for value in vector] for vector in model.embed(texts[:request['vectors']])]
json.dump({'ids': ids, 'vectors': vectors}, sys.stdout)
