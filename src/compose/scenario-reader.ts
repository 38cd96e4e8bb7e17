import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Fault } from '../base/fault.ts'
import { LruCache } from '../base/lru-cache.ts'
import type { ReadSent, ScenarioReaders } from '../observer/scenario-source.ts'
import { parseScenario } from '../scenario/load/load.ts'
import { openPacked } from '../scenario/load/packed.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { withSource } from '../scenario/seeds.ts'
import { applicationReader, SENT_WITH_APPLICATIONS } from './applications.ts'
import { checkFile } from './preview.ts'
import type { ReadReply, ReadRequest } from './scenario-thread.ts'

/** A scenario that takes longer to read is refused. Ten times what the largest takes on a busy machine. */
const MAX_READ_MS = 20_000
/** Starting the thread takes time too. */
const MAX_START_MS = 60_000
const MAX_MEMORY_MB = 256
/** The characters of the scenarios that are kept. */
const MAX_KEPT_CHARACTERS = 2_000_000

interface Loaded {
  readonly scenario: Scenario
  readonly characters: number
}

/** Limits for reading one scenario. For tests; those above by default. */
export interface ReaderLimits {
  readonly maxMs?: number
}

/**
 * Creates a reader of the scenarios that callers send. It reads them one after the other in a thread of its own, so that none
 * delays other requests or ends the process. The thread starts with the first, and does not keep the process running.
 */
export function createScenarioReader({ maxMs = MAX_READ_MS }: ReaderLimits = {}): ReadSent {
  const loaded = new LruCache<string, Loaded>(MAX_KEPT_CHARACTERS, ({ characters }) => characters)
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** Resolves to the reply of the thread. One that takes too long or needs too much memory is ended. */
  const ask = (request: ReadRequest): Promise<ReadReply> =>
    new Promise((resolve) => {
      const isNew = worker === undefined
      worker ??= openThread(() => {
        worker = undefined
      })
      const asked = worker
      const finish = (reply: ReadReply, isLost: boolean) => {
        clearTimeout(timer)
        asked.off('message', answer).off('error', fail).off('exit', end)
        asked.unref()
        if (isLost) {
          worker = undefined
          void asked.terminate()
        }
        resolve(reply)
      }
      const refuse = (message: string) =>
        finish({ fault: { code: 'ScenarioInvalid', message: `scenario: ${message}`, context: {} } }, true)
      const limit = isNew ? Math.max(maxMs, Math.min(MAX_START_MS, maxMs * 3)) : maxMs
      const timer = setTimeout(() => refuse(`it takes more than ${limit / 1000} s to read`), limit)
      const answer = (reply: ReadReply) => finish(reply, false)
      const fail = (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') refuse(`it needs more than ${MAX_MEMORY_MB} MB to read`)
        else finish({ fault: Fault.from(error) }, true)
      }
      const end = () => refuse('the thread that read it has ended')
      asked.on('message', answer).on('error', fail).on('exit', end)
      asked.ref()
      asked.postMessage(request)
    })

  return async (text, making) => {
    const key = JSON.stringify([making, text])
    const known = loaded.get(key)
    if (known) return loaded.keep(key, known).scenario
    const reading = last.then(() => ask({ text, making }))
    last = reading
    const reply = await reading
    if ('fault' in reply) throw new Fault(reply.fault.code, reply.fault.message, reply.fault.context)
    const { packed } = reply
    const scenario = withSource(openPacked(packed), packed.source, (other) =>
      parseScenario(text, { ...SENT_WITH_APPLICATIONS, ...other }),
    )
    return loaded.keep(key, { scenario, characters: text.length }).scenario
  }
}

/** The reader of this process. */
export const readSentScenario: ReadSent = (text, making) => {
  shared ??= createScenarioReader()
  return shared(text, making)
}
let shared: ReadSent | undefined

/** How the sessions of this process read scenarios. */
export const SCENARIO_READERS: ScenarioReaders = {
  readSent: readSentScenario,
  readApplication: applicationReader(),
}

const RESOURCES = { maxOldGenerationSizeMb: MAX_MEMORY_MB, maxYoungGenerationSizeMb: 32 }

/** Starts the thread, and calls `onEnd` when it has ended for any reason. */
function openThread(onEnd: () => void): Worker {
  const worker = startThread()
  // The pending request receives the error. Without a listener an error would end the process.
  return worker.on('error', onEnd).on('exit', onEnd)
}

/** Runs the bundled script, the compiled module, or its source. */
function startThread(): Worker {
  const bundle = typeof __filename === 'string' && __filename.endsWith('.cjs') ? __filename : undefined
  if (bundle !== undefined)
    return new Worker(`require(${JSON.stringify(bundle)}).scenarioThread()`, { eval: true, resourceLimits: RESOURCES })
  const source = fileURLToPath(import.meta.url).endsWith('.ts')
  const module = new URL(`./scenario-thread.${source ? 'ts' : 'js'}`, import.meta.url)
  if (!source) return new Worker(module, { resourceLimits: RESOURCES })
  // What `require` resolves to is for scripts. The module beside it is for modules.
  const loader = pathToFileURL(
    createRequire(import.meta.url)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs'),
  ).href
  const start = `import(${JSON.stringify(loader)}).then(({ register }) => { register(); return import(${JSON.stringify(module.href)}) })`
  return new Worker(start, { eval: true, execArgv: [], resourceLimits: RESOURCES })
}

/** How often the files are compared. Editors replace files when they save, which events of the system miss. */
const POLL_MS = 150

/** Receives a scenario that was saved, or the problems of one that cannot be used. */
export type SavedScenario = { readonly scenario: Scenario } | { readonly problems: string }

/**
 * Watches a scenario file and the files that it includes.
 * @param file The path of the scenario.
 * @param onSaved Receives each saved version.
 * @returns A function that ends the watch.
 */
export async function watchScenario(file: string, onSaved: (saved: SavedScenario) => void): Promise<() => void> {
  const stamps = new Map<string, string>()
  // The stamp of a file is taken before it is read, so that no version is missed.
  const watch = (path: string) => {
    if (!stamps.has(path)) stamps.set(path, stampOf(path))
  }
  const load = async (): Promise<SavedScenario> => {
    try {
      return { scenario: (await checkFile(file, watch)).scenario }
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== 'ScenarioInvalid') throw thrown
      return { problems: thrown.message }
    }
  }
  watch(file)
  // Finds the included files.
  await load()
  let isOpen = true
  const compare = () => {
    const changed = [...stamps].map(([path, stamp]) => [path, stamp, stampOf(path)] as const)
    if (changed.every(([, before, now]) => before === now)) return
    for (const [path, , now] of changed) stamps.set(path, now)
    void load().then((saved) => {
      if (isOpen) onSaved(saved)
    })
  }
  const timer = setInterval(compare, POLL_MS).unref()
  return () => {
    isOpen = false
    clearInterval(timer)
  }
}

/** What differs between two versions of a file, without its content. Empty while it cannot be reached. */
function stampOf(path: string): string {
  try {
    const { ino, mtimeMs, size } = statSync(path)
    return `${ino} ${mtimeMs} ${size}`
  } catch {
    return ''
  }
}
