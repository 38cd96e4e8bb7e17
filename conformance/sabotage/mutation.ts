import type { Check, Lane } from '../checks/check.ts'
import { judgeShapes } from '../contract/shapes.ts'
import type { Frame } from '../probe/frame.ts'
import type { Mcp, McpAnswer } from '../probe/mcp.ts'
import type { Circumstances } from '../run/options.ts'
import { inLanes } from '../run/pools.ts'
import { carryOut } from '../run/run-check.ts'
import { lanesOf } from '../run/run-checks.ts'
import { type Satellites, satellites } from '../servers/auxiliary-servers.ts'
import { allSabotages, harmless, semanticSabotages } from './all.ts'
import { whyIdle } from './no-effect.ts'
import { type OpenProxy, openProxy } from './proxy.ts'
import { type Passing, type Sabotage, speaksLines } from './sabotage.ts'

/** What became of one sabotage. */
export interface Mutant {
  readonly name: string
  readonly kind: 'generated' | 'semantic' | 'control'
  /** The requirement that noticed it; undefined when none did. */
  readonly killedBy: string | undefined
  /** Whether what it aims at did not notice, and something else did. */
  readonly astray?: boolean
  /** Why it found nothing to break, when a reason is stated; without one it counts as unnoticed. */
  readonly idle?: string
}

/** What became of a sabotage, before reasons are looked up. */
interface Fate {
  readonly killedBy: string | undefined
  readonly isIdle: boolean
}

export interface MutationOutcome {
  readonly mutants: readonly Mutant[]
  /** Shares from 0 to 1. */
  readonly generatedRate: number
  readonly semanticRate: number
  /** Controls, which break nothing, that were said to be broken. */
  readonly falseAlarms: number
  /** Requirements of the MUST level that do not hold without any sabotage; what aims at them cannot be noticed. */
  readonly unfit: readonly string[]
}

export interface MutationOptions {
  /** Only sabotages whose name holds this. */
  readonly only?: string
  /** Of the generated sabotages every so many. */
  readonly every?: number
  readonly told?: (mutant: Mutant, done: number, all: number) => void
  /** How many mutants are tried at once; 1 where all clients share one state. */
  readonly lanes: number
  /**
   * The command that puts a sabotage before a server on standard input and output: the server's MCP side, or what another
   * command starts. Without it nothing is broken there.
   */
  readonly stdio?: (name: string, command?: string) => string
}

/** What a clean run tells: which requirements hold, how long each check takes, and which shapes it sees. */
interface Acquaintance {
  readonly passing: ReadonlySet<string>
  readonly checks: readonly Known[]
  /** Carries out one check at a time of those that share a process, whichever mutants they are tried on. */
  readonly turns: Turns
}

type Turns = <T>(check: Check, carryOut: () => Promise<T>) => Promise<T>

interface Known {
  readonly check: Check
  readonly tookMs: number
  /** Operations and events it has seen. */
  readonly shapes: ReadonlySet<string>
  /** Operations with the statuses that were answered. */
  readonly answers: ReadonlySet<string>
}

/** Each is held to the whole suite. */
const CONTROLS = 2
const SLOW_MS = 8000

/** Breaks a server that is right in every known way, one at a time, and sees whether the suite notices. */
export async function mutate(circumstances: Circumstances, options: MutationOptions): Promise<MutationOutcome> {
  const { suite } = circumstances
  const acquaintance = await acquaint(circumstances)
  const semantic = new Set(semanticSabotages(suite.contract.protocol).map((one) => one.name))
  const chosen = allSabotages(suite.contract)
    .filter((one, at) => semantic.has(one.name) || at % (options.every ?? 1) === 0)
    .filter((one) => options.only === undefined || one.name.includes(options.only))
    .filter((one) => options.stdio !== undefined || !speaksLines(one))
  const controls = Array.from({ length: options.only === undefined ? CONTROLS : 0 }, () =>
    harmless(suite.contract.protocol),
  )
  const all = chosen.length + controls.length
  const mutants: Mutant[] = []
  const worker = async (queue: Sabotage[]) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const kind: Mutant['kind'] =
        next.name === 'nothing' ? 'control' : semantic.has(next.name) ? 'semantic' : 'generated'
      const { killedBy, isIdle } = await fate(circumstances, acquaintance, next, options.stdio)
      const idle = isIdle ? whyIdle(suite.contract.protocol, next.name) : undefined
      const astray = kind === 'semantic' && killedBy !== undefined && !next.aims.some((aim) => killedBy.startsWith(aim))
      const mutant = { name: next.name, kind, killedBy, ...(astray && { astray }), ...(idle !== undefined && { idle }) }
      mutants.push(mutant)
      options.told?.(mutant, mutants.length, all)
    }
  }
  // What speaks over standard output has processes of its own, and can be tried beside the others.
  const spoken = chosen.filter(speaksLines)
  const sent = [...chosen.filter((one) => !speaksLines(one)), ...controls]
  await Promise.all([worker(spoken), ...Array.from({ length: options.lanes }, () => worker(sent))])
  const rate = (kind: Mutant['kind']) => {
    const of = mutants.filter((one) => one.kind === kind && one.idle === undefined)
    return of.length === 0 ? 1 : of.filter((one) => one.killedBy !== undefined).length / of.length
  }
  return {
    mutants: mutants.sort((one, other) => (one.name < other.name ? -1 : 1)),
    generatedRate: rate('generated'),
    semanticRate: rate('semantic'),
    falseAlarms: mutants.filter((one) => one.kind === 'control' && one.killedBy !== undefined).length,
    unfit: Object.entries(suite.set.requirements)
      .filter(([id, row]) => row.level === 'MUST' && row.unchecked === undefined && !acquaintance.passing.has(id))
      .map(([id]) => id),
  }
}

async function acquaint(circumstances: Circumstances): Promise<Acquaintance> {
  const { suite, options } = circumstances
  const passing = new Set<string>()
  const checks: Known[] = []
  const frames: Frame[] = []
  const quick = [...suite.checks.values()].filter((check) => check.timeoutMs <= (options.quickMs ?? Infinity))
  await inLanes(quick, lanesOf(circumstances), async (check) => {
    const startedAt = performance.now()
    const finding = await carryOut(check, circumstances)
    checks.push({ check, tookMs: performance.now() - startedAt, ...seenIn(finding.frames) })
    frames.push(...finding.frames)
    if (finding.result === 'passed') passing.add(check.id)
  })
  for (const [id, finding] of judgeShapes(suite.contract, frames)) if (finding.result === 'passed') passing.add(id)
  return { passing, checks: checks.sort((one, other) => one.tookMs - other.tookMs), turns: takeTurns() }
}

function takeTurns(): Turns {
  const last = new Map<Lane, Promise<unknown>>()
  return ({ lane }, carryOut) => {
    if (lane === 'main') return carryOut()
    const mine = (last.get(lane) ?? Promise.resolve()).then(carryOut)
    last.set(lane, mine)
    return mine
  }
}

/** What a check has seen. */
function seenIn(frames: readonly Frame[]): Pick<Known, 'shapes' | 'answers'> {
  const answers = new Set(frames.flatMap((frame) => frame.shape ?? []))
  return { answers, shapes: new Set([...answers].map((shape) => shape.replace(/ \d+$/, ''))) }
}

/** The first requirement that no longer holds behind the sabotage, tried from the likeliest check on. */
async function fate(
  circumstances: Circumstances,
  { passing, checks, turns }: Acquaintance,
  sabotage: Sabotage,
  stdio: MutationOptions['stdio'],
): Promise<Fate> {
  const { broken, touched, close } = await breakIn(circumstances, sabotage, stdio)
  const { contract } = circumstances.suite
  const noticed = (killedBy: string): Fate => ({ killedBy, isIdle: false })
  try {
    const frames: Frame[] = []
    for (const { check, rank } of inOrder(checks, sabotage)) {
      // When nothing that sees what is to be broken was touched, the others will not be either; a control breaks nothing.
      if (sabotage.aims.length > 0 && rank === 2 && (frames.length > 0 || sabotage.answers) && !touched())
        return { killedBy: undefined, isIdle: true }
      const finding = await turns(check, () => carryOut(check, broken))
      if (passing.has(check.id) && finding.result === 'failed') return noticed(check.id)
      frames.push(...finding.frames)
      for (const [id, shape] of judgeShapes(contract, finding.frames))
        if (passing.has(id) && shape.result === 'failed' && shape.frames.length > 0) return noticed(id)
    }
    for (const [id, shape] of judgeShapes(contract, frames))
      if (passing.has(id) && shape.result === 'failed') return noticed(id)
    return { killedBy: undefined, isIdle: !touched() }
  } finally {
    await close()
  }
}

interface BrokenIn {
  readonly broken: Circumstances
  /** Whether anything was changed so far; not known of what goes over standard output. */
  touched(): boolean
  close(): Promise<void>
}

/** The same server and its satellites behind the sabotage. */
async function breakIn(
  circumstances: Circumstances,
  sabotage: Sabotage,
  stdio: MutationOptions['stdio'],
): Promise<BrokenIn> {
  if (sabotage.message) return breakMessages(circumstances, sabotage.message)
  if (stdio && speaksLines(sabotage)) {
    const own = satellites({})
    const command = (name: string, port: number) => stdio(sabotage.name, circumstances.satellites.command(name, port))
    const subject = { ...circumstances.subject, command: stdio(sabotage.name) }
    return {
      broken: { ...circumstances, subject, satellites: { ...own, command } },
      touched: () => true,
      close: own.close,
    }
  }
  const proxies: OpenProxy[] = []
  let isStarted = false
  const start = (command: string) => {
    const changed = sabotage.start?.(command) ?? command
    isStarted ||= changed !== command
    return changed
  }
  const through = async (target: string) => {
    const proxy = await openProxy({ target, sabotage })
    proxies.push(proxy)
    return proxy.url
  }
  const { subject } = circumstances
  return {
    broken: {
      ...circumstances,
      subject: { ...subject, ...(subject.url !== undefined && { url: await through(subject.url) }) },
      satellites: throughProxies(circumstances.satellites, through, start),
    },
    touched: () => isStarted || proxies.some((proxy) => proxy.touched),
    close: async () => {
      for (const proxy of proxies) await proxy.close()
    },
  }
}

/** The same server, whose messages over standard output are changed on their way; no process of its own is needed. */
function breakMessages(circumstances: Circumstances, change: NonNullable<Sabotage['message']>): BrokenIn {
  const { satellites } = circumstances
  let touched = false
  const broken = (mcp: Mcp): Mcp => ({
    ...mcp,
    request: async (method, params) => {
      const message: McpAnswer = structuredClone(await mcp.request(method, params))
      const before = JSON.stringify(message)
      change(message as unknown as Passing)
      touched ||= JSON.stringify(message) !== before
      return message
    },
  })
  let shared: Promise<Mcp> | undefined
  return {
    broken: {
      ...circumstances,
      satellites: {
        ...satellites,
        mcp: async (command, recorder) => {
          const own = satellites.mcp(command, recorder)
          shared ??= own.then(broken)
          await own
          return shared
        },
        ownMcp: async (command, recorder) => broken(await satellites.ownMcp(command, recorder)),
      },
    },
    touched: () => touched,
    close: async () => {},
  }
}

interface Ranked extends Known {
  /** 0 is aimed at, 1 sees what is broken, 2 is any other. */
  readonly rank: 0 | 1 | 2
}

/** Checks that are aimed at, then those that see what is broken, then the others; quick ones first. */
function inOrder(checks: readonly Known[], { aims, answers }: Sabotage): readonly Ranked[] {
  const rank = ({ check, ...seen }: Known) => {
    if (answers) return answers.some((answer) => seen.answers.has(answer)) ? 1 : 2
    if (aims.some((aim) => check.id.startsWith(aim))) return 0
    return aims.some((aim) => [...seen.shapes].some((shape) => aim.endsWith(slugOf(shape)))) ? 1 : 2
  }
  return (
    checks
      .map((known): Ranked => ({ ...known, rank: rank(known) }))
      // A broken shape is seen at once or never; only what is aimed at may take its time, and what waited for a start.
      .filter(({ rank, tookMs, check }) => rank === 0 || tookMs < SLOW_MS || check.lane === 'satellite')
      .sort((one, other) => one.rank - other.rank)
  )
}

const slugOf = (shape: string) =>
  shape
    .toLowerCase()
    .replace(/[^a-z0-9_:]+/g, '-')
    .replace(/^-|-$/g, '')

const throughProxies = (
  satellites: Satellites,
  through: (target: string) => Promise<string>,
  start: (command: string) => string,
): Satellites => ({
  ...satellites,
  url: async (name) => through(await satellites.url(name)),
  command: (name, port) => start(satellites.command(name, port)),
})

/** The outcome as a page for people: rates first, survivors by name. */
export function mutationReport(protocol: string, outcome: MutationOutcome): string {
  const { mutants, generatedRate, semanticRate, falseAlarms, unfit } = outcome
  const counted = (kind: Mutant['kind']) => mutants.filter((one) => one.kind === kind && one.idle === undefined).length
  const survivors = mutants.filter(
    (one) => one.kind !== 'control' && one.killedBy === undefined && one.idle === undefined,
  )
  const reasons = new Map<string, number>()
  for (const { idle } of mutants) if (idle !== undefined) reasons.set(idle, (reasons.get(idle) ?? 0) + 1)
  const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`
  const list = (title: string, items: readonly string[]) => (items.length === 0 ? [] : [title, ...items, ''])
  return [
    `## ${protocol}`,
    '',
    `| | sabotages | noticed |`,
    '|---|---|---|',
    `| generated from the contract | ${counted('generated')} | ${percent(generatedRate)} |`,
    `| written by hand | ${counted('semantic')} | ${percent(semanticRate)} |`,
    '',
    `False alarms of ${counted('control')} controls: ${falseAlarms}.`,
    survivors.length === 0 ? 'No sabotage went unnoticed.' : '',
    '',
    ...list(
      'Unnoticed:',
      survivors.map((one) => `- ${one.name}`),
    ),
    ...list(
      'Noticed, but not by what they aim at:',
      mutants.filter((one) => one.astray).map((one) => `- ${one.name}: ${one.killedBy}`),
    ),
    ...list(
      'Nothing to break, and not counted:',
      [...reasons].map(([reason, count]) => `- ${count}: ${reason}`),
    ),
    ...list(
      'Does not hold without any sabotage, so nothing can be noticed there:',
      unfit.map((id) => `- ${id}`),
    ),
  ].join('\n')
}
