// The main thread as a reader has it: what it says, in order, and what is told to it.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { StateChange, ToMain, ToReader } from './messages.js';
import type { SharedState } from './shared-state.js';

export interface ReaderPortOptions {
  readonly port: MessagePort;
  readonly shared: SharedState;
  readonly onState: (change: StateChange) => void;
  readonly onConnection: (fd: number, patience: number) => void;
  readonly onLeave: () => void;
  readonly onCrowded: () => void;
  /** Of what this thread has counted. */
  readonly values: () => Promise<unknown>;
}

export class ReaderPort {
  readonly #options: ReaderPortOptions;
  /** Of the last change that was heard of. */
  #version: number;

  /** What was changed up to now is known. */
  constructor(options: ReaderPortOptions, version: number) {
    this.#options = options;
    this.#version = version;
    options.port.on('message', (message: ToReader) => this.#receive(message));
  }

  /** Hears of every change that anybody was answered by. */
  catchUp(): void {
    const { port, shared } = this.#options;
    while (this.#version < shared.version) {
      const next = receiveMessageOnPort(port) as { readonly message: ToReader } | undefined;
      // Told before the version was counted on: it is there.
      if (next === undefined) return;
      this.#receive(next.message);
    }
  }

  send(message: ToMain): void {
    this.#options.port.postMessage(message);
  }

  #receive(message: ToReader): void {
    const { onState, onConnection, onCrowded, onLeave, values } = this.#options;
    switch (message.kind) {
      case 'state':
        // What was loaded at the start has it already.
        if (message.version <= this.#version) break;
        this.#version = message.version;
        onState(message.change);
        break;
      case 'connection':
        onConnection(message.fd, message.patience);
        break;
      case 'metrics':
        void values().then((all) => this.send({ kind: 'metrics', id: message.id, values: all }));
        break;
      case 'closeIdle':
        onCrowded();
        break;
      case 'leave':
        onLeave();
        break;
    }
  }
}
