// The main thread as an HTTP worker sees it: its messages in order, and the messages to it.
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { ForwardToWorker, StateChange, ToMain, ToWorker } from './messages.js';
import type { SharedState } from './shared-state.js';

export interface WorkerPortOptions {
  readonly port: MessagePort;
  readonly shared: SharedState;
  readonly onState: (change: StateChange) => void;
  readonly onConnection: (fd: number) => void;
  readonly onForwarded: (message: ForwardToWorker) => void;
  readonly onDrain: () => void;
  readonly onCrowded: () => void;
  /** The metrics of this thread. */
  readonly values: () => Promise<unknown>;
}

export class WorkerPort {
  readonly #options: WorkerPortOptions;
  /** Of the last change that was received. */
  #version: number;

  /** Changes up to `version` are known. */
  constructor(options: WorkerPortOptions, version: number) {
    this.#options = options;
    this.#version = version;
    options.port.on('message', (message: ToWorker) => this.#receive(message));
  }

  /** Receives every change that an answer of another thread may have shown. */
  catchUp(): void {
    const { port, shared } = this.#options;
    while (this.#version < shared.version) {
      const next = receiveMessageOnPort(port) as { readonly message: ToWorker } | undefined;
      // A change is sent before its version is counted, so it is there.
      if (next === undefined) return;
      this.#receive(next.message);
    }
  }

  send(message: ToMain): void {
    this.#options.port.postMessage(message);
  }

  #receive(message: ToWorker): void {
    const { onState, onConnection, onForwarded, onCrowded, onDrain, values } = this.#options;
    switch (message.kind) {
      case 'state':
        // What was loaded at the start includes it.
        if (message.version <= this.#version) break;
        this.#version = message.version;
        onState(message.change);
        break;
      case 'connection':
        onConnection(message.fd);
        break;
      case 'metrics':
        void values().then((all) => this.send({ kind: 'metrics', id: message.id, values: all }));
        break;
      case 'closeIdle':
        onCrowded();
        break;
      case 'drain':
        onDrain();
        break;
      default:
        onForwarded(message);
    }
  }
}
