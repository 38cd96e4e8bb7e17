import { AuthoredScript } from '../../../src/agent/script/script.ts'
import { Fault } from '../../../src/base/fault.ts'
import { readersBelow } from '../../../src/compose/files-below.ts'
import { findScenario, readScenario } from '../../../src/compose/gallery.ts'
import { type MemorySession, memorySession } from '../../../src/compose/memory-session.ts'
import { elementsSeen, type PlayedCall, playSolution } from '../../../src/compose/play-solution.ts'
import { checkSuccess } from '../../../src/compose/verify/solution-run.ts'
import { treeHash } from '../../../src/desktop/tree/hash.ts'
import { call } from '../../../src/observer/call.ts'
import { findTool } from '../../../src/observer/registry.ts'
import { type CheckedScenario, checkScenario } from '../../../src/scenario/load/load.ts'
import type { Scenario } from '../../../src/scenario/scenario.ts'
import type { ScenarioProblem } from '../../../src/scenario/source/problem.ts'
import { parseChoices } from '../../../src/scenario/variants/axes.ts'
import type { Answer, DesktopState, LoggedCall, Problem, Request } from './messages.ts'
import { addFiles } from './node/files.ts'
import { addModule } from './node/others.ts'
import { loadFonts } from './skia.ts'

/** The core in a worker: one scenario on one desktop. It answers the requests of the page in order. */

interface OpenScenario {
  readonly scenario: Scenario
  readonly desktop: MemorySession
  readonly warnings: CheckedScenario['warnings']
  readonly log: LoggedCall[]
  readonly solution: AsyncGenerator<PlayedCall, void> | undefined
  played: number
  isDone: boolean
  /** Why a call of the solution failed. */
  failure: string | undefined
}

let current: OpenScenario | undefined

const ready = Promise.all([fetch('files.json').then(async (response) => addFiles(await response.json())), loadFonts()])

/** People, companies and products for scenarios that ask for some. They are half of the page's size. */
async function loadFakeData(): Promise<void> {
  const { locales } = await import('./fake-data.ts')
  for (const [locale, faker] of Object.entries(locales)) addModule(`@faker-js/faker/locale/${locale}`, { faker })
}

const ANSWERS: { readonly [Ask in Request['ask']]: (request: Extract<Request, { ask: Ask }>) => Promise<Answer> } = {
  async gallery({ name }) {
    return { kind: 'text', text: readScenario(name), file: findScenario(name) }
  },

  async open({ text, file, seed, variant }) {
    if (/\bfake\b|\bapps\/|^include:/m.test(text)) await loadFakeData()
    let checked: CheckedScenario
    try {
      checked = checkScenario(text, {
        file: 'scenario.yaml',
        script: AuthoredScript,
        argumentsOf: (tool) => findTool(tool)!.input,
        ...readersBelow(file),
        ...(seed !== undefined && { seed }),
        ...(variant.length > 0 && { variant: parseChoices(variant) }),
      })
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== 'ScenarioInvalid') throw thrown
      return { kind: 'problems', problems: (thrown.context.issues as readonly ScenarioProblem[]).map(shown(false)) }
    }
    const { scenario } = checked
    const desktop = memorySession(scenario)
    const [first] = scenario.solutions
    current = {
      scenario,
      desktop,
      warnings: (seen) => checked.warnings(seen),
      log: [],
      solution: first && playSolution(desktop, first),
      played: 0,
      isDone: first === undefined,
      failure: undefined,
    }
    return stateOf(current)
  },

  async call({ tool, args }) {
    const open = opened()
    const { fault } = await call(open.desktop.session, tool as 'wait', args as never)
    open.log.push({ tool, args: JSON.stringify(args), ...(fault && { failure: `${fault.code}: ${fault.message}` }) })
    return stateOf(open)
  },

  async warnings() {
    const { scenario, warnings } = opened()
    return { kind: 'problems', problems: warnings(await elementsSeen(scenario)).map(shown(true)) }
  },

  async step() {
    const open = opened()
    const next = await open.solution?.next()
    if (!next || next.done) open.isDone = true
    else {
      open.played++
      const { tool, call: made, failure } = next.value
      open.log.push({ tool, args: JSON.stringify(made?.args ?? {}), ...(failure !== undefined && { failure }) })
      if (failure !== undefined) {
        open.isDone = true
        open.failure = `step ${open.played} of the solution fails: ${failure}`
      }
    }
    return stateOf(open)
  },
}

function opened(): OpenScenario {
  if (!current) throw new Error('no scenario is open')
  return current
}

const shown =
  (isWarning: boolean) =>
  ({ file, line, column, message }: ScenarioProblem): Problem => ({
    line: file === undefined || file === 'scenario.yaml' ? line : 1,
    column: file === undefined || file === 'scenario.yaml' ? column : 1,
    message: file === undefined || file === 'scenario.yaml' ? message : `${file}:${line}: ${message}`,
    isWarning,
  })

async function stateOf(open: OpenScenario): Promise<Answer> {
  const { scenario, desktop, log } = open
  const { session, computer } = desktop
  const picture = await computer.screenshot({ screen: true })
  const { body } = await call(session, 'get_screen_outline', {})
  const why = await checkSuccess(session)
  const hashes = computer.windows().map(({ uid }) => {
    const tree = computer.tree(uid)
    return [uid, tree ? treeHash(tree) : ''] as const
  })
  const state: DesktopState = {
    width: picture.width,
    height: picture.height,
    pixels: new Uint8ClampedArray(picture.pixels()),
    task: scenario.task ?? '',
    seed: scenario.seed,
    outline: String((body as { readonly outline?: string }).outline ?? ''),
    hashes: Object.fromEntries(hashes),
    verdict: { passes: why === undefined, why: why ?? '', hasOracles: scenario.oracles.success.length > 0 },
    solution: open.solution && { played: open.played, isDone: open.isDone, failure: open.failure },
    log: [...log],
  }
  return { kind: 'state', state }
}

async function answer(request: Request): Promise<Answer> {
  try {
    await ready
    return await ANSWERS[request.ask](request as never)
  } catch (thrown) {
    return { kind: 'failure', message: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

/** Requests are answered one after another, from the first message on, which says that they are heard. */
let queue: Promise<unknown> = Promise.resolve()
self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  queue = queue.then(async () => {
    const answered = await answer(data)
    const moved = answered.kind === 'state' ? [answered.state.pixels.buffer] : []
    self.postMessage(answered, { transfer: moved })
  })
})
self.postMessage('ready')
