import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import * as z from 'zod'
import { loadSuite } from '../../conformance/protocols.ts'
import type { CertificationResult } from '../../conformance/run/outcome.ts'
import { certify } from '../../conformance/run.ts'
import { markOf, type RequirementResult } from '../../conformance/suite/results.ts'
import { problemsOfClients, problemsOfMcpClient } from './clients.ts'
import { FAULTS } from './faults.ts'
import { installPython } from './install.ts'
import { STRANGERS, type StrangerName, startStranger } from './servers.ts'

/**
 * Certifies servers that others wrote. `npm run test:strangers -- [--seeds N] [--only WORDS]` compares the accusations
 * with their classes, certifies clients that others wrote (`--only client`), and lets one drive our server; with
 * `--faults`, each fault of `faults.ts` is planted and has to be named.
 */

/**
 * The accused requirements of each stranger, with the sentence of the document that decides. `true`: the server
 * violates it. `double`: it follows from another row. A false accusation is repaired, not classified.
 */
const Accusations = z.record(
  z.string(),
  z.record(z.string(), z.strictObject({ class: z.enum(['true', 'double']), sentence: z.string().min(20) })),
)
const KNOWN = Accusations.parse(parse(readFileSync(new URL('./accusations.yaml', import.meta.url), 'utf8')))

/** The most rows that one fault may fail. */
const MAX_ROWS = 3
/** The number of planted faults that may fail no right row. */
const MAX_MISSED = 4

const isAccused = (result: RequirementResult): boolean => ['failed', 'unsteady', 'harness'].includes(markOf(result))

const short = (id: string): string => id.replace(/^[^:]*:/, '')

const accusedBy = ({ results }: CertificationResult): readonly RequirementResult[] => results.filter(isAccused)

function textAfter(flag: string): string | undefined {
  const at = process.argv.indexOf(flag)
  return at < 0 ? undefined : process.argv[at + 1]
}

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function run(name: StrangerName, python: string, fault: string, more: object): Promise<CertificationResult> {
  const { options, close } = await startStranger(name, python, fault)
  try {
    return await certify({ ...options, ...more })
  } finally {
    await close()
  }
}

/** Fails when an accusation has no class, or the seeds accuse differently. */
async function accuse(name: StrangerName, python: string, seeds: number): Promise<boolean> {
  const known = KNOWN[name] ?? {}
  const verdicts = new Set<string>()
  let isFine = true
  for (let seed = 1; seed <= seeds; seed++) {
    const startedAt = performance.now()
    const outcome = await run(name, python, '', { seed, repeats: 1 })
    if (outcome.unreachable !== undefined) throw new Error(outcome.unreachable)
    const accused = accusedBy(outcome)
    const { passed, unjudged } = outcome.conclusion.counts
    const took = Math.round((performance.now() - startedAt) / 1000)
    print(`${name}, seed ${seed}: ${passed} passed, ${accused.length} accused, ${unjudged} not judged, ${took} s`)
    for (const { id, why = '' } of accused) {
      const about = known[short(id)]
      print(`  ${about?.class ?? 'NEW'} ${id}: ${why.split('\n')[0]!.slice(0, 160)}`)
      if (about === undefined) isFine = false
    }
    verdicts.add(
      accused
        .map(({ id }) => id)
        .sort()
        .join(),
    )
  }
  if (verdicts.size > 1) print(`  ${name} is accused differently by ${verdicts.size} seeds`)
  return isFine && verdicts.size === 1
}

/** The rows that a stranger fails without a fault, where it is otherwise as with one. */
const controls = new Map<string, Promise<CertificationResult>>()
const control = (stranger: StrangerName, python: string, more: object): Promise<CertificationResult> => {
  const key = `${stranger} ${JSON.stringify(more)}`
  const known = controls.get(key) ?? run(stranger, python, 'none', more)
  controls.set(key, known)
  return known
}

/** Rows that no fault concerns and that wait for minutes are left out. */
const SLOW_ROWS: readonly string[] = ['stream:keepalive', 'stream:evicted', 'stream:ring']
const QUICK_MS = 20_000

interface PlantedResult {
  readonly isNamed: boolean
  readonly rows: number
}

/** The rows that a planted fault fails beyond those that the stranger fails anyway. */
async function plant(name: string, python: string): Promise<PlantedResult> {
  const { stranger, fails, isAllowed } = FAULTS[name]!
  const isSlow = fails.some((id) => SLOW_ROWS.includes(id))
  const more = { repeats: 1, responseTimeoutMs: 5000, ...(!isSlow && { quickMs: QUICK_MS }) }
  const outcome = await run(stranger, python, name, more)
  const anyway = accusedBy(await control(stranger, python, more)).map(({ id }) => id)
  const accused = accusedBy(outcome).filter(({ id }) => !anyway.includes(id))
  const rows = accused.map(({ id }) => short(id))
  const isNoticed = ({ id, status }: RequirementResult) => fails.includes(short(id)) && status === 'failed'
  const isNamed = isAllowed ? outcome.results.some(isNoticed) : rows.some((id) => fails.includes(id))
  print(`${isNamed ? 'named' : 'MISSED'}, ${rows.length} rows: ${name}: ${outcome.unreachable ?? rows.join(', ')}`)
  if (isNamed && rows.length <= MAX_ROWS) return { isNamed, rows: rows.length }
  const notJudged = outcome.results.filter(({ id, status }) => status === 'unjudged' && fails.includes(short(id)))
  for (const { id, why = '' } of [...accused, ...notJudged])
    print(`  ${short(id)}: ${why.split('\n')[0]!.slice(0, 200)}`)
  return { isNamed, rows: rows.length }
}

/** Fails unless the document forbids the fault: each row that has to name it is a MUST, and otherwise none is. */
async function assertExpectation(name: string): Promise<void> {
  const { stranger, fails, isAllowed = false } = FAULTS[name]!
  const { requirements, protocol } = (await loadSuite(STRANGERS[stranger].protocol)).set
  for (const id of fails) {
    const { level } = requirements[`${protocol}:${id}`] ?? {}
    if (level === undefined || (level === 'MUST') === isAllowed)
      throw new Error(`${name}: ${id} is ${level ?? 'no row'}`)
  }
}

const python = installPython()
const only = textAfter('--only') ?? ''
if (process.argv.includes('--faults')) {
  const queue = Object.keys(FAULTS).filter((name) => `${FAULTS[name]!.stranger} ${name}`.includes(only))
  for (const name of queue) await assertExpectation(name)
  const total = queue.length
  const found: PlantedResult[] = []
  // A run mostly waits.
  const work = async () => {
    for (let name = queue.shift(); name; name = queue.shift()) found.push(await plant(name, python))
  }
  await Promise.all([work(), work()])
  const named = found.filter(({ isNamed }) => isNamed).length
  const loud = found.filter(({ rows }) => rows > MAX_ROWS).length
  print(`${named} of ${total} faults named, ${loud} fail more than ${MAX_ROWS} rows`)
  process.exitCode = total - named > MAX_MISSED || loud > 0 ? 1 : 0
} else {
  let isFine = true
  const names = (Object.keys(STRANGERS) as StrangerName[]).filter((name) => name.includes(only))
  for (const name of names) isFine = (await accuse(name, python, Number(textAfter('--seeds') ?? 1))) && isFine
  const problems = [
    ...('mcp-client'.includes(only) ? await problemsOfMcpClient(python) : []),
    ...(await problemsOfClients(python, only, print)),
  ]
  for (const problem of problems) print(problem)
  isFine &&= problems.length === 0
  process.exitCode = isFine ? 0 : 1
}
