import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { realClock } from '../../base/clock.ts'
import { VERSION } from '../../compose/package.ts'
import { BUILTIN_AGENTS } from '../../evaluation/agents/choose-agent.ts'
import { openProcessWorker } from '../../evaluation/pool/process-worker.ts'
import type { EpisodeJob, JobAnswer } from '../../evaluation/queue/job.ts'
import { createJobPlayer } from '../../evaluation/queue/play-job.ts'
import { connectRedis, parseRedisAddress } from '../../evaluation/queue/redis.ts'
import { workForQueue } from '../../evaluation/queue/redis-queue.ts'
import { SuiteError } from '../../evaluation/suite/load-suite.ts'
import { positive, UserError } from '../arguments.ts'

interface WorkerFlags {
  readonly queue: string
  readonly agent: readonly string[]
  readonly concurrency?: number
}

const QUEUE_VARIABLE = 'BACKLOT_QUEUE'

/** `backlot worker`: plays episodes that `backlot eval --queue` has put into Redis. */
export function workerCommand(): Command {
  return new Command('worker')
    .description('Play episodes from a queue in Redis, which backlot eval --queue fills from any machine.')
    .addOption(
      new Option('--queue <url>', 'the Redis server: redis://HOST:PORT, or rediss:// with TLS')
        .env(QUEUE_VARIABLE)
        .makeOptionMandatory(),
    )
    .option(
      '--agent <agent>',
      `an agent that episodes may name, exactly as they name it; can be repeated (${BUILTIN_AGENTS.join(', ')} always may)`,
      (agent: string, agents: readonly string[]) => [...agents, agent.trim()],
      [] as readonly string[],
    )
    .option('--concurrency <n>', 'episodes at once (default: one per core)', positive)
    .addHelpText(
      'after',
      `
Episodes can run no other command than those of --agent, whoever has filled the queue. Ctrl-C ends the worker after the
episodes that it plays; a second Ctrl-C gives them back to the queue (docs/scaling.md).

Example:
  backlot worker --queue redis://10.0.0.5 --agent "python agent.py" --concurrency 4`,
    )
    .action(async (flags: WorkerFlags) => {
      try {
        await runWorker(flags)
      } catch (error) {
        if (error instanceof SuiteError) throw new UserError(error.message)
        throw error
      }
    })
}

async function runWorker(flags: WorkerFlags): Promise<void> {
  const address = parseRedisAddress(flags.queue)
  // Processes of agents inherit the environment.
  delete process.env[QUEUE_VARIABLE]
  const clock = realClock()
  const concurrency = flags.concurrency ?? availableParallelism()
  const connection = await connectRedis(address, notice)
  const folder = mkdtempSync(join(tmpdir(), 'backlot-worker-'))
  const player = createJobPlayer({
    agents: flags.agent,
    backlot: VERSION,
    clock,
    folder,
    openWorker: (agent, isTraced, signal) =>
      openProcessWorker({ script: process.argv[1]!, args: ['eval-worker'], agent, isTraced }, signal),
  })
  const finish = new AbortController()
  const giveBack = new AbortController()
  const interrupt = () => {
    if (finish.signal.aborted) return giveBack.abort()
    notice('ends after the episodes that it plays; again to give them back')
    finish.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt)
  const agents = [...BUILTIN_AGENTS, ...flags.agent].join(', ')
  process.stdout.write(`takes episodes from ${address.shown}, ${concurrency} at once; agents: ${agents}\n`)
  try {
    await workForQueue(connection, {
      player,
      concurrency,
      clock,
      finish: finish.signal,
      giveBack: giveBack.signal,
      onAnswer: (answer, job) => process.stdout.write(`${lineOf(answer, job)}\n`),
      onNotice: notice,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
  }
  notice('ended')
}

const notice = (text: string): void => void process.stderr.write(`backlot worker: ${text}\n`)

function lineOf(answer: JobAnswer, { episode }: EpisodeJob): string {
  if (answer.kind === 'refused') return `${episode.id}: refused: ${answer.message}`
  const { success, failure, steps, wall_ms } = answer.result
  return `${episode.id}: ${success ? 'solved' : failure}, ${steps} steps, ${(wall_ms / 1000).toFixed(1)} s`
}
