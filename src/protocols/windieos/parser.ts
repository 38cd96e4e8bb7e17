import { Worker } from 'node:worker_threads'
import { Fault } from '../../base/fault.ts'
import { checkJsonSize, tryParseJson } from '../http/json.ts'
import type { LogCode } from './errors.ts'

/** Longer texts are parsed in a worker thread, so that a long message does not delay other clients. */
export const MIN_OFFLOAD_BYTES = 64 * 1024
/** Parsed values are copied to the main thread, so their number is limited. */
const MAX_OFFLOADED_VALUES = 300_000
/** Sufficient for the largest message on a busy machine. */
const PARSE_TIMEOUT_MS = 30_000

const WORKER_SOURCE = `
const { parentPort } = require('node:worker_threads')
const read = (text) => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { broken: true }
  }
}
parentPort.on('message', ({ number, text }) => {
  try {
    parentPort.postMessage({ number, ...read(text) })
  } catch {
    parentPort.postMessage({ number, deep: true })
  }
})`

interface WorkerReply {
  readonly number: number
  readonly value?: unknown
  readonly broken?: true
  /** Nested too deeply to be copied to the main thread. */
  readonly deep?: true
}

/** Parses JSON: short texts on the main thread, long ones in a worker thread that starts on first use. */
export class JsonParser {
  #worker: Worker | undefined
  readonly #timeoutMs: number
  readonly #waiting = new Map<number, (reply: WorkerReply) => void>()
  #count = 0
  /** The number of texts parsed in the worker thread. */
  offloaded = 0

  constructor(timeoutMs: number = PARSE_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs
  }

  /** Throws `BadRequest` for invalid JSON, `TooLarge` for too many values, and `Timeout` if parsing takes too long. */
  async parse(text: string, bytes: number): Promise<unknown> {
    if (bytes < MIN_OFFLOAD_BYTES) return parseOnMainThread(text)
    checkJsonSize(text, MAX_OFFLOADED_VALUES)
    this.offloaded += 1
    return this.#parseInWorker(text)
  }

  /** Stops the worker thread. */
  close(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }

  async #parseInWorker(text: string): Promise<unknown> {
    const worker = this.#open()
    const number = ++this.#count
    let timer: NodeJS.Timeout | undefined
    try {
      const reply = await new Promise<WorkerReply>((resolve, reject) => {
        timer = setTimeout(() => reject(new Fault('Timeout', 'the message took too long to read')), this.#timeoutMs)
        this.#waiting.set(number, resolve)
        worker.postMessage({ number, text })
      })
      if (reply.broken) throw invalidJson()
      if (reply.deep) throw nestingFault()
      return reply.value
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(number)
    }
  }

  #open(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(WORKER_SOURCE, { eval: true })
    worker.unref()
    worker.on('message', (reply: WorkerReply) => this.#waiting.get(reply.number)?.(reply))
    this.#worker = worker
    return worker
  }
}

function parseOnMainThread(text: string): unknown {
  const value = tryParseJson(text)
  if (value === undefined) throw invalidJson()
  return value
}

/** The fault for a message that is nested too deeply. */
export const nestingFault = () =>
  new Fault('BadRequest', 'the message is nested too deep', { log: 'PARSE_VALIDATION_ERROR' satisfies LogCode })
const invalidJson = () => new Fault('BadRequest', 'the message is not valid JSON')
