import { Writable } from 'node:stream'
import { Argument, Command, InvalidArgumentError } from 'commander'
import { requirementsNamedBySource } from './certified.ts'
import { BACKLOT, MCP, type OurServers, optionsFor, serveOurs } from './our-servers.ts'
import { type CertifiedProtocol, PROTOCOLS } from './protocols.ts'
import { createCoverageMatrix } from './report/coverage.ts'
import { createMarkdownReport } from './report/write.ts'
import { type CertifyOptions, certify, mutationReport, mutationRun } from './run.ts'

const wholeNumber = (text: string): number => {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number is needed.')
  return Number(text)
}
const program = new Command('npm run conformance|mutation --')
  .description(
    'Certifies Backlot’s own servers, started from the command line and tested from outside; or breaks them.',
  )
  .addArgument(new Argument('<task>').choices(['certify', 'mutation']))
  .addArgument(new Argument('[protocol...]', 'all protocols without any').choices(PROTOCOLS))
  .option('--seed <number>', 'the seed of the run', wholeNumber, 1)
  .option('--every <number>', 'mutation: use every Nth generated fault; 0 uses none', wholeNumber, 1)
  .option('--only <words>', 'mutation: only the faults with these words in their names')
  .option('--each', 'mutation: print the requirement that noticed each fault')
  .parse()
const [task, protocols] = program.processedArgs as ['certify' | 'mutation', readonly CertifiedProtocol[]]
const { seed, every, only, each } = program.opts<{ seed: number; every: number; only?: string; each?: true }>()

const ownOptions = (protocol: CertifiedProtocol, ours: OurServers): CertifyOptions => ({
  ...optionsFor(protocol, ours),
  seed,
  ...(protocol === 'observer' && { command: MCP }),
})

/** Milliseconds, as seconds. */
const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Whether the server of a protocol is as it should be, and what is printed about it. */
interface Verdict {
  readonly passed: boolean
  readonly text: string
}

async function certifyOurs(
  protocol: CertifiedProtocol,
  ours: OurServers,
  progress: NodeJS.WritableStream,
): Promise<Verdict> {
  const startedAt = performance.now()
  const outcome = await certify({ ...ownOptions(protocol, ours), report: 'reports/certify', progress })
  const empty = createCoverageMatrix(outcome).filter((cell) => cell.mark === 'empty')
  // What a rule of `src` leaves to a requirement has no other test, so a SHOULD has to pass too.
  const passed = new Set(outcome.results.filter(({ status }) => status === 'passed').map(({ id }) => id))
  const unproved = [...requirementsNamedBySource()].flatMap(([path, ids]) =>
    ids.filter((id) => id.startsWith(`${protocol}:`) && !passed.has(id)).map((id) => `${id}, which ${path} names`),
  )
  const lines = [
    `${createMarkdownReport(outcome)}\n${seconds(startedAt)}\n`,
    ...empty.map(({ item, title }) => `no requirement of ${item} was tried: ${title}`),
    ...unproved.map((id) => `did not pass: ${id}`),
  ]
  const isWhole = empty.length === 0 && unproved.length === 0
  return { passed: outcome.exitCode === 0 && isWhole, text: `${lines.join('\n')}\n` }
}

/** How many protocols are certified at once. Most checks wait; with more at once, a server seems to be slow. */
const MAX_PROTOCOLS_AT_ONCE = 3

/** Protocols that are certified one after the other: WindieOS recognises the screen that checks of the observer change. */
const ONE_DESKTOP: readonly CertifiedProtocol[] = ['observer', 'windieos']

/** Certifies some protocols at once. Prints the reports in the order of the protocols. */
async function certifyAll(protocols: readonly CertifiedProtocol[], ours: OurServers): Promise<boolean> {
  const verdicts: Verdict[] = []
  const shared = protocols.filter((protocol) => ONE_DESKTOP.includes(protocol))
  const queue = [shared, ...protocols.filter((protocol) => !shared.includes(protocol)).map((protocol) => [protocol])]
  let printed = 0
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      for (const protocol of next) {
        const progress = protocols.length > 1 ? progressOf(protocol) : process.stderr
        verdicts[protocols.indexOf(protocol)] = await certifyOurs(protocol, ours, progress)
        for (let verdict = verdicts[printed]; verdict; verdict = verdicts[++printed]) process.stdout.write(verdict.text)
      }
  }
  await Promise.all(Array.from({ length: MAX_PROTOCOLS_AT_ONCE }, work))
  return verdicts.every(({ passed }) => passed)
}

/** Writes the progress of one protocol beside that of others. */
const progressOf = (protocol: CertifiedProtocol) =>
  new Writable({
    write: (lines, _encoding, done) => {
      process.stderr.write(`${protocol}: ${lines}`, done)
    },
  })

/** The minimum shares of noticed faults. */
const MIN_GENERATED_SHARE = 0.95
const MIN_SEMANTIC_SHARE = 1

async function mutateOurs(protocol: CertifiedProtocol, ours: OurServers): Promise<boolean> {
  const startedAt = performance.now()
  const outcome = await mutationRun(ownOptions(protocol, ours), {
    every,
    ...(only !== undefined && { only }),
    stdio: (name, command = MCP) => `${BACKLOT} sabotage ${protocol} "${name}" --command '${command}'`,
    onMutant: ({ name, killedBy = 'unnoticed' }, done, all) => {
      if (each) process.stderr.write(`${name} | ${killedBy}\n`)
      else if (done % 50 === 0) process.stderr.write(`${protocol}: ${done}/${all}\n`)
    },
  })
  process.stdout.write(`${mutationReport(protocol, outcome)}\n${seconds(startedAt)}\n\n`)
  const { generatedRate, semanticRate, falseAlarms, failing } = outcome
  const noticed = generatedRate >= MIN_GENERATED_SHARE && semanticRate >= MIN_SEMANTIC_SHARE
  return noticed && falseAlarms === 0 && failing.length === 0
}

/** Breaks the servers one after the other: each already serves several mutants at once. */
async function mutateAll(protocols: readonly CertifiedProtocol[], ours: OurServers): Promise<boolean> {
  let passed = true
  for (const protocol of protocols) passed = (await mutateOurs(protocol, ours)) && passed
  return passed
}

const servers = await serveOurs()
try {
  const chosen = protocols.length > 0 ? protocols : PROTOCOLS
  const run = task === 'mutation' ? mutateAll : certifyAll
  process.exitCode = (await run(chosen, servers)) ? 0 : 1
} finally {
  await servers.close()
}
