// A sentence model that runs on this machine: what an index and an endpoint know of it.

export interface LocalModel {
  readonly name: string;
  readonly dims: number;
  /** The model sees no more tokens of a text, [CLS] and [SEP] included. */
  readonly maxTokens: number;
  /** Of everything that decides its vectors: files, tokenizer and maximum of tokens. */
  readonly fingerprint: string;
}

/** The ids of local models as inference endpoints begin with this. */
const PREFIX = 'local:';
const NAME = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;
const MAX_NAME = 64;

export function localId(name: string): string {
  return `${PREFIX}${name}`;
}

/** The name of the model that an inference id means; undefined for an id of another kind. */
export function localName(id: string): string | undefined {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined;
}

/** The identity that the mapping of a field stores. */
export function localIdentity({ name, fingerprint }: LocalModel): string {
  return `${PREFIX}${name}@${fingerprint}`;
}

/** The name of the model in an identity; undefined for the identity of a remote service. */
export function nameInIdentity(identity: string): string | undefined {
  return /^local:([^@/]+)@[0-9a-f]+$/.exec(identity)?.[1];
}

/** Why a model cannot have that name; undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (NAME.test(name) && name.length <= MAX_NAME) return undefined;
  return (
    `[${name}] is no name of a model: use at most ${MAX_NAME} lowercase letters, digits, hyphens and ` +
    'underscores, the first and the last a letter or digit'
  );
}
