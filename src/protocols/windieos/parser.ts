import { Worker } from 'node:worker_threads'
import { Fault } from '../../base/fault.ts'
import { checkJsonSize } from '../http/json.ts'
import type { LogCode } from './errors.ts'

/** Texts of this many bytes are read beside the main thread, so that one client's long message stalls nobody else. */
export const MIN_OFFLOAD_BYTES = 64 * 1024
/** What is read beside the main thread is still handed over to it. */
const MAX_PARTS_THERE = 300_000
/** Time enough to read the largest message on a busy machine. */
const PARSE_TIMEOUT_MS = 30_000

const READER = `
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

interface Answer {
  readonly number: number
  readonly value?: unknown
  readonly broken?: true
  /** Nested too deep to be handed over. */
  readonly deep?: true
}

/** Reads JSON: short texts here, long ones in a thread that starts with the first of them. */
export class JsonParser {
  #worker: Worker | undefined
  readonly #timeoutMs: number
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #count = 0
  /** How many texts were read beside the main thread. */
  offloaded = 0

  constructor(timeoutMs: number = PARSE_TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs
  }

  /** Throws `BadRequest` when the text is no JSON, `TooLarge` for too many values, `Timeout` when it takes too long. */
  async parse(text: string, bytes: number): Promise<unknown> {
    if (bytes < MIN_OFFLOAD_BYTES) return parseHere(text)
    checkJsonSize(text, MAX_PARTS_THERE)
    this.offloaded += 1
    return this.#parseThere(text)
  }

  close(): void {
    void this.#worker?.terminate()
    this.#worker = undefined
  }

  async #parseThere(text: string): Promise<unknown> {
    const worker = this.#open()
    const number = ++this.#count
    let timer: NodeJS.Timeout | undefined
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        timer = setTimeout(() => reject(new Fault('Timeout', 'the message took too long to read')), this.#timeoutMs)
        this.#waiting.set(number, resolve)
        worker.postMessage({ number, text })
      })
      if (answer.broken) throw notJson()
      if (answer.deep) throw nestingFault()
      return answer.value
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(number)
    }
  }

  #open(): Worker {
    if (this.#worker) return this.#worker
    const worker = new Worker(READER, { eval: true })
    worker.unref()
    worker.on('message', (answer: Answer) => this.#waiting.get(answer.number)?.(answer))
    this.#worker = worker
    return worker
  }
}

function parseHere(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson()
  }
}

/** What a message is answered with that is nested too deep to be walked through. */
export const nestingFault = () =>
  new Fault('BadRequest', 'the message is nested too deep', { log: 'PARSE_VALIDATION_ERROR' satisfies LogCode })
const notJson = () => new Fault('BadRequest', 'the message is not valid JSON')
