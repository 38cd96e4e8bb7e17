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

async function certifyOurs(protocol: CertifiedProtocol, ours: OurServers): Promise<boolean> {
  const startedAt = performance.now()
  const outcome = await certify({
    ...ownOptions(protocol, ours),
    report: 'reports/certify',
    progress: process.stderr,
  })
  process.stdout.write(`${createMarkdownReport(outcome)}\n${seconds(startedAt)}\n\n`)
  const empty = createCoverageMatrix(outcome).filter((cell) => cell.mark === 'empty')
  for (const { item, title } of empty) process.stdout.write(`no requirement of ${item} was tried: ${title}\n`)
  // What a rule of `src` leaves to a requirement has no other test, so a SHOULD has to pass too.
  const passed = new Set(outcome.results.filter(({ status }) => status === 'passed').map(({ id }) => id))
  const unproved = [...requirementsNamedBySource()].flatMap(([path, ids]) =>
    ids.filter((id) => id.startsWith(`${protocol}:`) && !passed.has(id)).map((id) => `${id}, which ${path} names`),
  )
  for (const id of unproved) process.stdout.write(`did not pass: ${id}\n`)
  return outcome.exitCode === 0 && empty.length === 0 && unproved.length === 0
}

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

const servers = await serveOurs()
try {
  let passed = true
  for (const protocol of protocols.length > 0 ? protocols : PROTOCOLS) {
    const run = task === 'mutation' ? mutateOurs : certifyOurs
    passed = (await run(protocol, servers)) && passed
  }
  process.exitCode = passed ? 0 : 1
} finally {
  await servers.close()
}
