import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { MIN_AGENTS, type RankedAgent, rankAgreement } from './rank-correlation.ts'

/**
 * Plays each agent of a list in Backlot Bench, and compares the order of agents with that on OSWorld, as docs/transfer.md says:
 * `npx tsx bench/transfer/ranks.ts --agents agents.json`. `--read` only reads results that are there. The same command goes on after a stop.
 */

/** An entry of the list. */
interface ListedAgent {
  readonly name: string
  /** What `--agent` takes. */
  readonly agent: string
  /** The success rate on OSWorld, from 0 to 1. */
  readonly osworld: number
}

/** What `bench run` writes, as far as it is read here. */
interface BenchResult {
  readonly pass_1: { readonly count: number; readonly of: number }
  readonly episodes: { readonly planned: number; readonly done: number }
}

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

const { values, positionals } = parseArgs({
  options: {
    agents: { type: 'string' },
    out: { type: 'string', default: 'rank-results' },
    tier: { type: 'string', default: 'pixels' },
    read: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
if (!values.agents) throw new Error('--agents FILE is missing: a list of {"name", "agent", "osworld"} as JSON')
const listed = JSON.parse(readFileSync(values.agents, 'utf8')) as readonly ListedAgent[]
mkdirSync(values.out, { recursive: true })

const agents: RankedAgent[] = []
for (const { name, agent, osworld } of listed) {
  if (!(osworld >= 0 && osworld <= 1)) throw new Error(`${name}: osworld is a share from 0 to 1`)
  const folder = join(values.out, name.replaceAll(/[^\w.-]+/g, '-'))
  if (!values.read) {
    const args = [
      'bench',
      'run',
      ...positionals,
      '--agent',
      agent,
      '--label',
      name,
      '--tier',
      values.tier,
      '--out',
      folder,
    ]
    // The exit code says whether episodes are left, which the result says too.
    spawnSync(process.execPath, ['--import', 'tsx', MAIN, ...args], { stdio: 'inherit' })
  }
  const { pass_1, episodes } = JSON.parse(readFileSync(join(folder, 'bench.json'), 'utf8')) as BenchResult
  if (episodes.done < episodes.planned)
    console.error(
      `${name}: ${episodes.done} of ${episodes.planned} episodes have a result; the same command plays the others`,
    )
  agents.push({ name, ours: pass_1.count / pass_1.of, theirs: osworld })
}
const agreement = rankAgreement(agents)
writeFileSync(join(values.out, 'ranks.json'), `${JSON.stringify({ agents, agreement }, undefined, 2)}\n`)
for (const { name, ours, theirs } of agents)
  console.log(`${name}: ${ours.toFixed(3)} here, ${theirs.toFixed(3)} on OSWorld`)
const { rho, interval, p, verdict } = agreement
console.log(
  `Spearman's rho ${rho?.toFixed(2) ?? '–'}, 95 % ${interval?.map((bound) => bound.toFixed(2)).join(' to ') ?? '–'}, p ${p?.toFixed(4) ?? '–'}`,
)
console.log(verdict === 'too few agents' ? `${agents.length} agents prove nothing; ${MIN_AGENTS} are needed` : verdict)
