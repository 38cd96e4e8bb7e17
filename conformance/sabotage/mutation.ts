import type { Frame } from '../probe/frame.ts'
import type { McpClient, McpResponse } from '../probe/mcp.ts'
import { type CertifyOptions, createRunContext, type RunContext } from '../run/options.ts'
import { runCheck } from '../run/run-check.ts'
import { poolOptionsOf, runInPools } from '../run/run-checks.ts'
import { type AuxiliaryServers, createAuxiliaryServers } from '../suite/auxiliary-servers.ts'
import { allSabotages } from '../suite/generated-sabotages.ts'
import type { Check, Pool } from '../suite/rules.ts'
import { createControl, isStdioSabotage, type JsonMessage, type Sabotage } from '../suite/sabotage.ts'
import { judgeFrames } from '../suite/shapes.ts'
import { type OpenProxy, openProxy } from './proxy.ts'

/** The result of one sabotage. */
export interface Mutant {
  readonly name: string
  readonly kind: 'generated' | 'semantic' | 'control'
  /** The requirement that failed because of it, if any. */
  readonly killedBy: string | undefined
  /** Whether another requirement than its targets noticed it. */
  readonly isMisattributed?: boolean
  /** The stated reason why it had no effect; without one it counts as unnoticed. */
  readonly noEffectReason?: string
}

/** The result of a sabotage, before its stated reason is looked up. */
interface Attempt {
  readonly killedBy: string | undefined
  readonly hasNoEffect: boolean
}

interface MutationResult {
  readonly mutants: readonly Mutant[]
  /** Shares from 0 to 1. */
  readonly generatedRate: number
  readonly semanticRate: number
  /** Controls, which change nothing, that failed. */
  readonly falseAlarms: number
  /** Requirements of the MUST level that do not hold without any sabotage; what targets at them cannot be noticed. */
  readonly failing: readonly string[]
}

interface MutationOptions {
  /** Only sabotages whose name contains this text. */
  readonly only?: string
  /** Uses every Nth generated sabotage. */
  readonly every?: number
  readonly onMutant?: (mutant: Mutant, done: number, all: number) => void
  /** The number of parallel mutants; 1 where all clients share one state. */
  readonly concurrency: number
  /**
   * Returns the command that proxies a server on standard input and output with a sabotage: the server's MCP side, or
   * the server that another command starts. Without it, such sabotages are skipped.
   */
  readonly stdio?: (name: string, command?: string) => string
}

/** The results of a run without a sabotage: verdicts, durations and shapes of checks. */
interface CleanRun {
  readonly passing: ReadonlySet<string>
  /** The requirements that pass, and those of parts that the server does not offer: a sabotage can make them fail. */
  readonly breakable: ReadonlySet<string>
  readonly checks: readonly KnownCheck[]
  /** Runs checks that share a process one at a time, across all mutants. */
  readonly runExclusively: ExclusiveRunner
}

type ExclusiveRunner = <T>(check: Check, carryOut: () => Promise<T>) => Promise<T>

interface KnownCheck {
  readonly check: Check
  readonly tookMs: number
  /** Operations and events in its frames. */
  readonly shapes: ReadonlySet<string>
  /** Operations with their response statuses. */
  readonly answers: ReadonlySet<string>
}

/** Each control runs the whole suite. */
const CONTROLS = 2
const SLOW_MS = 8000

/** Breaks a correct server in every known way, one at a time, and records whether the suite notices. */
async function mutate(runContext: RunContext, options: MutationOptions): Promise<MutationResult> {
  const { suite } = runContext
  const cleanRun = await runClean(runContext)
  const semantic = new Set(suite.sabotages.map((one) => one.name))
  const chosen = allSabotages(suite)
    .filter((one, at) => semantic.has(one.name) || at % (options.every ?? 1) === 0)
    .filter((one) => options.only === undefined || one.name.includes(options.only))
    .filter((one) => options.stdio !== undefined || !isStdioSabotage(one))
  const controls = Array.from({ length: options.only === undefined ? CONTROLS : 0 }, () =>
    createControl(suite.contract.protocol),
  )
  const all = chosen.length + controls.length
  const mutants: Mutant[] = []
  const worker = async (queue: Sabotage[]) => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const kind: Mutant['kind'] =
        next.name === 'nothing' ? 'control' : semantic.has(next.name) ? 'semantic' : 'generated'
      const { killedBy, hasNoEffect } = await tryMutant(runContext, cleanRun, next, options.stdio)
      const noEffectReason = hasNoEffect ? suite.noEffect.find(([names]) => names.test(next.name))?.[1] : undefined
      const isMisattributed = kind === 'semantic' && killedBy !== undefined && !next.targets.includes(killedBy)
      const mutant = {
        name: next.name,
        kind,
        killedBy,
        ...(isMisattributed && { isMisattributed }),
        ...(noEffectReason !== undefined && { noEffectReason }),
      }
      mutants.push(mutant)
      options.onMutant?.(mutant, mutants.length, all)
    }
  }
  // Sabotages of standard output have their own processes, so they run in parallel with the others.
  const spoken = chosen.filter(isStdioSabotage)
  const sent = [...chosen.filter((one) => !isStdioSabotage(one)), ...controls]
  await Promise.all([worker(spoken), ...Array.from({ length: options.concurrency }, () => worker(sent))])
  const rate = (kind: Mutant['kind']) => {
    const of = mutants.filter((one) => one.kind === kind && one.noEffectReason === undefined)
    return of.length === 0 ? 1 : of.filter((one) => one.killedBy !== undefined).length / of.length
  }
  return {
    mutants: mutants.sort((one, other) => (one.name < other.name ? -1 : 1)),
    generatedRate: rate('generated'),
    semanticRate: rate('semantic'),
    falseAlarms: mutants.filter((one) => one.kind === 'control' && one.killedBy !== undefined).length,
    failing: Object.entries(suite.set.requirements)
      .filter(([id, row]) => row.level === 'MUST' && row.unchecked === undefined && !cleanRun.passing.has(id))
      .map(([id]) => id),
  }
}

async function runClean(runContext: RunContext): Promise<CleanRun> {
  const { suite, options } = runContext
  const response = new Set<string>()
  const notOffered: string[] = []
  const checks: KnownCheck[] = []
  const frames: Frame[] = []
  const quick = [...suite.checks.values()].filter((check) => check.timeoutMs <= (options.quickMs ?? Infinity))
  await runInPools(quick, poolOptionsOf(runContext), async (check) => {
    const startedAt = performance.now()
    const finding = await runCheck(check, runContext)
    checks.push({ check, tookMs: performance.now() - startedAt, ...seenIn(finding.frames) })
    frames.push(...finding.frames)
    if (finding.status === 'passed') response.add(check.id)
    if (finding.status === 'unchecked') notOffered.push(check.id)
  })
  for (const [id, finding] of judgeFrames(suite.contract, frames)) if (finding.status === 'passed') response.add(id)
  return {
    passing: response,
    breakable: new Set([...response, ...notOffered]),
    checks: checks.sort((one, other) => one.tookMs - other.tookMs),
    runExclusively: createExclusiveRunner(),
  }
}

function createExclusiveRunner(): ExclusiveRunner {
  const last = new Map<Pool, Promise<unknown>>()
  return ({ pool }, carryOut) => {
    if (pool === 'main') return carryOut()
    const mine = (last.get(pool) ?? Promise.resolve()).then(carryOut)
    last.set(pool, mine)
    return mine
  }
}

/** The shapes and responses in the frames of a check. */
function seenIn(frames: readonly Frame[]): Pick<KnownCheck, 'shapes' | 'answers'> {
  const answers = new Set(frames.flatMap((frame) => frame.shape ?? []))
  return { answers, shapes: new Set([...answers].map((shape) => shape.replace(/ \d+$/, ''))) }
}

/** Finds the first requirement that fails with the sabotage, starting with the likeliest check. */
async function tryMutant(
  runContext: RunContext,
  { breakable, checks, runExclusively }: CleanRun,
  sabotage: Sabotage,
  stdio: MutationOptions['stdio'],
): Promise<Attempt> {
  const { broken, touched, close } = await applySabotage(runContext, sabotage, stdio)
  const { contract } = runContext.suite
  const noticed = (killedBy: string): Attempt => ({ killedBy, hasNoEffect: false })
  try {
    const frames: Frame[] = []
    for (const { check, rank } of rankChecks(checks, sabotage)) {
      // If no relevant check triggered the sabotage, the others will not either; a control changes nothing.
      if (sabotage.targets.length > 0 && rank === 2 && (frames.length > 0 || sabotage.operations) && !touched())
        return { killedBy: undefined, hasNoEffect: true }
      const finding = await runExclusively(check, () => runCheck(check, broken))
      if (breakable.has(check.id) && finding.status === 'failed') return noticed(check.id)
      frames.push(...finding.frames)
      for (const [id, shape] of judgeFrames(contract, finding.frames))
        if (breakable.has(id) && shape.status === 'failed' && shape.frames.length > 0) return noticed(id)
    }
    for (const [id, shape] of judgeFrames(contract, frames))
      if (breakable.has(id) && shape.status === 'failed') return noticed(id)
    return { killedBy: undefined, hasNoEffect: !touched() }
  } finally {
    await close()
  }
}

interface AppliedSabotage {
  readonly broken: RunContext
  /** Whether the sabotage has changed anything so far; always true for standard output. */
  touched(): boolean
  close(): Promise<void>
}

/** Puts the sabotage in front of the server and its auxiliary servers. */
async function applySabotage(
  runContext: RunContext,
  sabotage: Sabotage,
  stdio: MutationOptions['stdio'],
): Promise<AppliedSabotage> {
  if (sabotage.changeMessage) return breakMessages(runContext, sabotage.changeMessage)
  if (sabotage.changeRun) return breakRuns(runContext, sabotage.changeRun)
  if (stdio && isStdioSabotage(sabotage)) {
    const own = createAuxiliaryServers({})
    const command = (name: string, port: number) => stdio(sabotage.name, runContext.auxiliaries.command(name, port))
    const target = { ...runContext.target, command: stdio(sabotage.name) }
    return {
      broken: { ...runContext, target, auxiliaries: { ...own, command } },
      touched: () => true,
      close: own.close,
    }
  }
  const proxies: OpenProxy[] = []
  let isStarted = false
  const start = (command: string) => {
    const changed = sabotage.changeCommand?.(command) ?? command
    isStarted ||= changed !== command
    return changed
  }
  const through = async (target: string) => {
    const proxy = await openProxy({ target, sabotage })
    proxies.push(proxy)
    return proxy.url
  }
  const { target } = runContext
  return {
    broken: {
      ...runContext,
      target: { ...target, ...(target.url !== undefined && { url: await through(target.url) }) },
      auxiliaries: throughProxies(runContext.auxiliaries, through, start),
    },
    touched: () => isStarted || proxies.some((proxy) => proxy.touched),
    close: async () => {
      for (const proxy of proxies) await proxy.close()
    },
  }
}

/** Changes the messages of the MCP server within this process. */
function breakMessages(runContext: RunContext, change: NonNullable<Sabotage['changeMessage']>): AppliedSabotage {
  const { auxiliaries } = runContext
  let touched = false
  const broken = (mcp: McpClient): McpClient => ({
    ...mcp,
    request: async (method, params) => {
      const message: McpResponse = structuredClone(await mcp.request(method, params))
      const before = JSON.stringify(message)
      change(message as unknown as JsonMessage)
      touched ||= JSON.stringify(message) !== before
      return message
    },
  })
  let shared: Promise<McpClient> | undefined
  return {
    broken: {
      ...runContext,
      auxiliaries: {
        ...auxiliaries,
        mcp: async (command, recorder) => {
          const own = auxiliaries.mcp(command, recorder)
          shared ??= own.then(broken)
          await own
          return shared
        },
        ownMcp: async (command, recorder) => broken(await auxiliaries.ownMcp(command, recorder)),
      },
    },
    touched: () => touched,
    close: async () => {},
  }
}

/** Changes what calls of a command line leave behind, within this process. */
function breakRuns(runContext: RunContext, change: NonNullable<Sabotage['changeRun']>): AppliedSabotage {
  const { auxiliaries } = runContext
  let touched = false
  const run: AuxiliaryServers['run'] = async (...given) => {
    const ended = await auxiliaries.run(...given)
    const { stdout, exit } = ended
    change(ended)
    touched ||= ended.stdout !== stdout || ended.exit !== exit
    return ended
  }
  return {
    broken: { ...runContext, auxiliaries: { ...auxiliaries, run } },
    touched: () => touched,
    close: async () => {},
  }
}

interface RankedCheck extends KnownCheck {
  /** 0 is a target, 1 sees the changed shape, 2 is any other check. */
  readonly rank: 0 | 1 | 2
}

/** Ranks checks: targets first, then checks that see the changed shape, then the others; quick ones first. */
function rankChecks(checks: readonly KnownCheck[], { targets, operations }: Sabotage): readonly RankedCheck[] {
  const rank = ({ check, ...seen }: KnownCheck) => {
    if (operations) return operations.some((answer) => seen.answers.has(answer)) ? 1 : 2
    if (targets.includes(check.id)) return 0
    return targets.some((target) => [...seen.shapes].some((shape) => target.endsWith(slugOf(shape)))) ? 1 : 2
  }
  return (
    checks
      .map((known): RankedCheck => ({ ...known, rank: rank(known) }))
      // A broken shape shows immediately or never; only targets and checks with a server start may be slow.
      .filter(({ rank, tookMs, check }) => rank === 0 || tookMs < SLOW_MS || check.pool === 'auxiliary')
      .sort((one, other) => one.rank - other.rank)
  )
}

const slugOf = (shape: string) =>
  shape
    .toLowerCase()
    .replace(/[^a-z0-9_:]+/g, '-')
    .replace(/^-|-$/g, '')

const throughProxies = (
  auxiliaries: AuxiliaryServers,
  through: (target: string) => Promise<string>,
  start: (command: string) => string,
): AuxiliaryServers => ({
  ...auxiliaries,
  url: async (name) => through(await auxiliaries.url(name)),
  ownUrl: async (name) => {
    const own = await auxiliaries.ownUrl(name)
    return { ...own, url: await through(own.url) }
  },
  command: (name, port) => start(auxiliaries.command(name, port)),
})

/** Formats the result for people: rates first, then survivors by name. */
export function mutationReport(protocol: string, outcome: MutationResult): string {
  const { mutants, generatedRate, semanticRate, falseAlarms, failing } = outcome
  const counted = (kind: Mutant['kind']) =>
    mutants.filter((one) => one.kind === kind && one.noEffectReason === undefined).length
  const survivors = mutants.filter(
    (one) => one.kind !== 'control' && one.killedBy === undefined && one.noEffectReason === undefined,
  )
  const reasons = new Map<string, number>()
  for (const { noEffectReason } of mutants)
    if (noEffectReason !== undefined) reasons.set(noEffectReason, (reasons.get(noEffectReason) ?? 0) + 1)
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
      'Noticed, but not by their targets:',
      mutants.filter((one) => one.isMisattributed).map((one) => `- ${one.name}: ${one.killedBy}`),
    ),
    ...list(
      'No effect, and not counted:',
      [...reasons].map(([reason, count]) => `- ${count}: ${reason}`),
    ),
    ...list(
      'Fails without any sabotage, so nothing can be noticed there:',
      failing.map((id) => `- ${id}`),
    ),
  ].join('\n')
}

/** Milliseconds to wait for a broken server; a correct one on the same machine responds immediately. */
const PATIENCE_MS = 4000

/** Breaks the correct server at `url` in every known way; returns how often the suite notices. */
export async function runMutation(
  options: CertifyOptions,
  more: Omit<MutationOptions, 'concurrency'> = {},
): Promise<MutationResult> {
  const runContext = await createRunContext({ responseTimeoutMs: PATIENCE_MS, ...options })
  try {
    return await mutate(runContext, { ...more, concurrency: runContext.suite.concurrency === 1 ? 1 : 3 })
  } finally {
    await runContext.close()
  }
}
