import type { Check } from '../check.ts'
import { type Circumstances, carryOut } from '../judge.ts'
import type { Frame } from '../probe/frame.ts'
import type { Satellites } from '../satellites.ts'
import { judgeShapes } from '../shapes.ts'
import { allSabotages, harmless, semanticSabotages } from './all.ts'
import { type OpenProxy, openProxy } from './proxy.ts'
import type { Sabotage } from './sabotage.ts'

/** What became of one sabotage. */
export interface Mutant {
  readonly name: string
  readonly kind: 'generated' | 'semantic' | 'control'
  /** The requirement that noticed it; undefined when none did. */
  readonly killedBy: string | undefined
  /** It found nothing to break: the server does not offer what it breaks. */
  readonly idle: boolean
}

export interface MutationOutcome {
  readonly mutants: readonly Mutant[]
  /** Shares from 0 to 1. */
  readonly generatedRate: number
  readonly semanticRate: number
  /** Controls, which break nothing, that were said to be broken. */
  readonly falseAlarms: number
}

export interface MutationOptions {
  /** Only sabotages whose name holds this. */
  readonly only?: string
  /** Of the generated sabotages every so many. */
  readonly every?: number
  readonly told?: (mutant: Mutant, done: number, all: number) => void
  /** How many mutants are tried at once; 1 where all clients share one state. */
  readonly lanes: number
}

/** What a clean run tells: which requirements hold, how long each check takes, and which shapes it sees. */
interface Acquaintance {
  readonly passing: ReadonlySet<string>
  readonly checks: readonly Known[]
}

interface Known {
  readonly check: Check
  readonly tookMs: number
  readonly shapes: ReadonlySet<string>
}

const CONTROLS = 5
const SLOW_MS = 8000

/** Breaks a server that is right in every known way, one at a time, and sees whether the suite notices. */
export async function mutate(circumstances: Circumstances, options: MutationOptions): Promise<MutationOutcome> {
  const { suite } = circumstances
  const acquaintance = await acquaint(circumstances)
  const semantic = new Set(semanticSabotages(suite.contract.protocol).map((one) => one.name))
  const chosen = allSabotages(suite.contract)
    .filter((one, at) => semantic.has(one.name) || at % (options.every ?? 1) === 0)
    .filter((one) => options.only === undefined || one.name.includes(options.only))
  const controls = Array.from({ length: options.only === undefined ? CONTROLS : 0 }, () =>
    harmless(suite.contract.protocol),
  )
  const queue = [...chosen, ...controls]
  const all = queue.length
  const mutants: Mutant[] = []
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const kind = next.name === 'nothing' ? 'control' : semantic.has(next.name) ? 'semantic' : 'generated'
      const mutant: Mutant = { name: next.name, kind, ...(await fate(circumstances, acquaintance, next)) }
      mutants.push(mutant)
      options.told?.(mutant, mutants.length, all)
    }
  }
  await Promise.all(Array.from({ length: options.lanes }, worker))
  const rate = (kind: Mutant['kind']) => {
    const of = mutants.filter((one) => one.kind === kind && !one.idle)
    return of.length === 0 ? 1 : of.filter((one) => one.killedBy !== undefined).length / of.length
  }
  return {
    mutants: mutants.sort((one, other) => (one.name < other.name ? -1 : 1)),
    generatedRate: rate('generated'),
    semanticRate: rate('semantic'),
    falseAlarms: mutants.filter((one) => one.kind === 'control' && one.killedBy !== undefined).length,
  }
}

async function acquaint(circumstances: Circumstances): Promise<Acquaintance> {
  const { suite, options } = circumstances
  const passing = new Set<string>()
  const checks: Known[] = []
  const frames: Frame[] = []
  const queue = [...suite.checks.values()].filter((check) => check.timeoutMs <= (options.quickMs ?? Infinity))
  const worker = async () => {
    for (let check = queue.shift(); check; check = queue.shift()) {
      const startedAt = performance.now()
      const finding = await carryOut(check, circumstances)
      checks.push({ check, tookMs: performance.now() - startedAt, shapes: shapesOf(finding.frames) })
      frames.push(...finding.frames)
      if (finding.result === 'passed') passing.add(check.id)
    }
  }
  await Promise.all(Array.from({ length: suite.concurrency }, worker))
  for (const [id, finding] of judgeShapes(suite.contract, frames)) if (finding.result === 'passed') passing.add(id)
  return { passing, checks: checks.sort((one, other) => one.tookMs - other.tookMs) }
}

/** Operations and events a check has seen, without the status. */
const shapesOf = (frames: readonly Frame[]): ReadonlySet<string> =>
  new Set(frames.flatMap((frame) => (frame.shape === undefined ? [] : [frame.shape.replace(/ \d+$/, '')])))

/** The first requirement that no longer holds behind the sabotage, tried from the likeliest check on. */
async function fate(
  circumstances: Circumstances,
  { passing, checks }: Acquaintance,
  sabotage: Sabotage,
): Promise<Pick<Mutant, 'killedBy' | 'idle'>> {
  const proxies: OpenProxy[] = []
  const through = async (target: string) => {
    const proxy = await openProxy({ target, sabotage })
    proxies.push(proxy)
    return proxy.url
  }
  const { subject, satellites } = circumstances
  const broken: Circumstances = {
    ...circumstances,
    subject: { ...subject, url: await through(subject.url) },
    satellites: throughProxies(satellites, through),
  }
  const noticed = (killedBy: string) => ({ killedBy, idle: false })
  try {
    const frames: Frame[] = []
    for (const { check, rank } of inOrder(checks, sabotage)) {
      // When nothing that sees what is to be broken was touched, the others will not be either.
      const untouched = !proxies.some((proxy) => proxy.touched)
      if (rank === 2 && frames.length > 0 && untouched) return { killedBy: undefined, idle: true }
      const finding = await carryOut(check, broken)
      if (passing.has(check.id) && finding.result === 'failed') return noticed(check.id)
      frames.push(...finding.frames)
      for (const [id, shape] of judgeShapes(circumstances.suite.contract, finding.frames))
        if (passing.has(id) && shape.result === 'failed' && shape.frames.length > 0) return noticed(id)
    }
    for (const [id, shape] of judgeShapes(circumstances.suite.contract, frames))
      if (passing.has(id) && shape.result === 'failed') return noticed(id)
    return { killedBy: undefined, idle: !proxies.some((proxy) => proxy.touched) }
  } finally {
    for (const proxy of proxies) await proxy.close()
  }
}

interface Ranked extends Known {
  /** 0 is aimed at, 1 sees what is broken, 2 is any other. */
  readonly rank: 0 | 1 | 2
}

/** Checks that are aimed at, then those that see what is broken, then the others; quick ones first. */
function inOrder(checks: readonly Known[], { aims }: Sabotage): readonly Ranked[] {
  const rank = ({ check, shapes }: Known) => {
    if (aims.some((aim) => check.id.startsWith(aim))) return 0
    return aims.some((aim) => [...shapes].some((shape) => aim.endsWith(slugOf(shape)))) ? 1 : 2
  }
  return (
    checks
      .map((known): Ranked => ({ ...known, rank: rank(known) }))
      // A broken shape is seen at once or never; only what is aimed at may take its time.
      .filter((known) => known.rank === 0 || known.tookMs < SLOW_MS)
      .sort((one, other) => one.rank - other.rank)
  )
}

const slugOf = (shape: string) =>
  shape
    .toLowerCase()
    .replace(/[^a-z0-9_:]+/g, '-')
    .replace(/^-|-$/g, '')

const throughProxies = (satellites: Satellites, through: (target: string) => Promise<string>): Satellites => ({
  ...satellites,
  url: async (name) => through(await satellites.url(name)),
})

/** The outcome as a page for people: rates first, survivors by name. */
export function mutationReport(
  protocol: string,
  { mutants, generatedRate, semanticRate, falseAlarms }: MutationOutcome,
): string {
  const unnoticed = mutants.filter((one) => one.kind !== 'control' && one.killedBy === undefined)
  const survivors = unnoticed.filter((one) => !one.idle)
  const idle = unnoticed.filter((one) => one.idle)
  const percent = (rate: number) => `${(rate * 100).toFixed(1)} %`
  const count = (kind: Mutant['kind']) =>
    mutants.filter((one) => one.kind === kind && (kind === 'control' || !one.idle)).length
  return [
    `## ${protocol}`,
    '',
    `| | sabotages | noticed |`,
    '|---|---|---|',
    `| generated from the contract | ${count('generated')} | ${percent(generatedRate)} |`,
    `| written by hand | ${count('semantic')} | ${percent(semanticRate)} |`,
    '',
    `False alarms of ${count('control')} controls: ${falseAlarms}.`,
    '',
    survivors.length === 0 ? 'No sabotage went unnoticed.' : 'Unnoticed:',
    ...survivors.map((one) => `- ${one.name}`),
    ...(idle.length > 0 ? ['', 'Nothing to break, and not counted:', ...idle.map((one) => `- ${one.name}`)] : []),
    '',
  ].join('\n')
}
