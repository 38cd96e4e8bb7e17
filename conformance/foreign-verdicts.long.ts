import { expect, it } from 'vitest'
import { shareOf } from '../.ci/share.ts'
import {
  foreignAgentWebkitPhrases,
  MAX_LOG_EVENTS,
  startForeignAgentWebkit,
} from '../fixtures/foreign-servers/agent-webkit.ts'
import { foreignCortaskPhrases, startForeignCortask } from '../fixtures/foreign-servers/cortask.ts'
import { foreignNaviPhrases, startForeignNavi } from '../fixtures/foreign-servers/navi.ts'
import { startForeignObserver } from '../fixtures/foreign-servers/observer.ts'
import type { RestartableServer } from '../fixtures/foreign-servers/restartable-server.ts'
import { startSketchObserver } from '../fixtures/foreign-servers/sketch-observer.ts'
import { createProfile } from './profile.ts'
import { resultDigest } from './report/certificate.ts'
import type { CertifyOptions } from './run/options.ts'
import { certify } from './run.ts'
import type { ResultStatus } from './suite/results.ts'
import type { Profile } from './suite/test-context.ts'

/**
 * Certifies whole third-party-style servers with several seeds: `SEEDS=20 npm run test:long -- foreign-verdicts` uses
 * twenty. A correct server passes every MUST, a faulty one fails only for its fault, and the seed does not change
 * results.
 */
const SEEDS = Array.from({ length: Number(process.env.SEEDS ?? 2) }, (_, index) => index + 1)

type Findings = Readonly<Record<string, ResultStatus>>

interface Expected {
  /** Requirements that fail in addition to those that the correct server fails, without the protocol prefix. */
  readonly fails: Findings
  /** The check during which the server is lost, and the request after which it is. */
  readonly killer?: readonly [check: string, request: RegExp]
  /** Clients interfere with each other, which is reported once. */
  readonly interferes?: true
}

interface Row extends Pick<CertifyOptions, 'protocol' | 'tier' | 'only' | 'repeats'> {
  readonly start: (faults?: Readonly<Record<string, boolean>>) => Promise<RestartableServer>
  readonly profile: (url: string) => Profile
  /** Requirements that the correct server does not meet; none is a MUST. */
  readonly lacks: Findings
  readonly faults: Readonly<Record<string, Expected>>
}

const ROWS: Readonly<Record<string, Row>> = {
  'an agent-webkit server that is read from a log': {
    protocol: 'agent-webkit',
    tier: 'core',
    // A keepalive takes 15 seconds.
    repeats: 1,
    start: startForeignAgentWebkit,
    profile: () => createProfile('relay', { phrases: foreignAgentWebkitPhrases, known: { ring: MAX_LOG_EVENTS } }),
    lacks: { 'create:status': 'failed', 'close:twice': 'failed', 'stream:ring': 'failed' },
    faults: {
      closesAtKeepalive: { fails: { 'stream:alive': 'failed' } },
      losesWakeUps: {
        fails: {
          ...{ 'stream:prompt': 'failed', 'stream:ring': 'unjudged' },
          ...{ 'stream:slow': 'unjudged', 'stream:stalled': 'unjudged' },
        },
      },
      diesOfNull: { fails: { 'input:not-object': 'failed' }, killer: ['input:not-object', /\/input null"$/] },
    },
  },
  'a Navi server that sends fragments and whole runs again': {
    protocol: 'navi',
    tier: 'core',
    start: startForeignNavi,
    profile: () => createProfile('diary', { phrases: foreignNaviPhrases }),
    lacks: { 'session:malformed': 'failed', 'message:empty': 'failed' },
    faults: {
      forgetsMissed: { fails: { 'socket:reconnect': 'failed' } },
      diesOfNull: { fails: { 'socket:malformed': 'failed' }, killer: ['socket:malformed', /^"null"$/] },
    },
  },
  'a Cortask gateway without any REST but its workspaces': {
    protocol: 'cortask',
    tier: 'core',
    start: startForeignCortask,
    profile: () => createProfile('gateway', { phrases: foreignCortaskPhrases }),
    lacks: {},
    faults: {
      anyCloseAbortsAll: { fails: { 'disconnect:others': 'failed' }, interferes: true },
      diesOfNull: { fails: { 'broken:null': 'failed' }, killer: ['broken:null', /^"null"$/] },
    },
  },
  'an observer with its own desktop': {
    protocol: 'observer',
    tier: 'full',
    only: [
      ...['health:ready', 'health:steps', 'windows:', 'structure:count', 'structure:window', 'structure:default'],
      ...['structure:ids', 'structure:bounds', 'structure:focus', 'structure:bad-index', 'structure:large-index'],
      ...['find:element', 'find:missing', 'error:ElementNotFound', 'error:WindowGone', 'element:click'],
      ...['element:focus', 'element:invoke', 'element:set-value', 'element:select', 'receipt:hashes'],
      ...['receipt:target', 'receipt:dry-run', 'receipt:missing', 'receipt:dialogs', 'receipt:steps'],
      ...['observe:full', 'observe:unchanged', 'observe:hash', 'observe:json-patch', 'observe:custom'],
      ...['observe:base', 'observe:stale', 'observe:siblings', 'action:click', 'action:type', 'action:dry-run'],
    ],
    start: startForeignObserver,
    profile: (url) => createProfile('easel', { known: { stage: `${url}/stage` } }),
    lacks: {},
    faults: {
      ignoresDryRun: { fails: { 'receipt:dry-run': 'failed' } },
      confusesSiblings: { fails: { 'observe:siblings': 'failed' } },
      diesOfLargeIndex: {
        fails: { 'structure:large-index': 'failed' },
        killer: ['structure:large-index', /window_index=999"$/],
      },
    },
  },
  'an observer that only sketches': {
    protocol: 'observer',
    tier: 'full',
    only: ['health:ready', 'windows:count', 'sketch:size', 'sketch:default', 'sketch:bounded'],
    start: startSketchObserver,
    profile: () => createProfile('sketcher'),
    lacks: {},
    faults: {
      diesOfHugeGrids: { fails: { 'sketch:bounded': 'failed' }, killer: ['sketch:bounded', /sketch\?grid_width=/] },
    },
  },
}

/** The findings of one run, and the digest of its results. */
async function verdictFor({ start, profile, protocol, tier, only, repeats }: Row, fault: string, seed: number) {
  const server = await start(fault === '' ? {} : { [fault]: true })
  const outcome = await certify({
    ...{ protocol, seed, url: server.url, profile: profile(server.url), restart: server.restart },
    ...(tier && { tier }),
    ...(only && { only: only.map((id) => `${protocol}:${id}`) }),
    ...(repeats !== undefined && { repeats }),
  }).finally(server.close)
  const found = outcome.results.filter(({ status }) => status !== 'passed' && status !== 'unchecked')
  return {
    outcome,
    digest: resultDigest(outcome),
    found: Object.fromEntries(found.map(({ id, status }) => [id.replace(`${protocol}:`, ''), status])),
    reasons: found.map(({ id, why }) => `${id}: ${why}`).join('\n'),
    musts: found.filter(({ level, status }) => level === 'MUST' && status === 'failed').length,
  }
}

/** The number of parallel runs, each with its own server; all share one process. */
const CONCURRENCY = 2

async function verdictsFor(row: Row, fault: string) {
  const runs: Awaited<ReturnType<typeof verdictFor>>[] = []
  for (let from = 0; from < SEEDS.length; from += CONCURRENCY) {
    const seeds = SEEDS.slice(from, from + CONCURRENCY)
    runs.push(...(await Promise.all(seeds.map((seed) => verdictFor(row, fault, seed)))))
  }
  return runs
}

const TIMEOUT_MS = Math.ceil(SEEDS.length / CONCURRENCY) * 300_000

/** Each server without a fault and with each of its faults. */
const CASES = Object.entries(ROWS).flatMap(([name, row]) =>
  ['', ...Object.keys(row.faults)].map((fault) => [fault === '' ? name : `${name} that ${fault}`, row, fault] as const),
)

// Most of a run is waiting.
it.concurrent.each(shareOf(CASES))(
  '%s fails for its fault only, with any seed',
  async (_, row, fault) => {
    const expected: Expected = row.faults[fault] ?? { fails: {} }
    const { fails, killer, interferes = false } = expected
    const runs = await verdictsFor(row, fault)
    for (const { outcome, found, musts, reasons } of runs) {
      expect(found, reasons).toEqual({ ...row.lacks, ...fails })
      if (fault === '') expect(musts).toBe(0)
      expect(outcome.exitCode).toBe(musts > 0 || killer || interferes ? 1 : 0)
      expect(outcome.losses.map(({ during }) => during)).toEqual(killer ? [[`${row.protocol}:${killer[0]}`]] : [])
      if (killer) expect(outcome.losses[0]!.request).toMatch(killer[1])
      expect(outcome.interference !== undefined).toBe(interferes)
    }
    expect(new Set(runs.map(({ digest }) => digest)).size).toBe(1)
  },
  TIMEOUT_MS,
)
