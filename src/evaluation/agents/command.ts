import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { quoted } from '../../base/strings.ts'
import type { MemorySession } from '../../compose/memory-session.ts'
import { VERSION } from '../../compose/package.ts'
import { createFastifyApp, oneSession } from '../../compose/rest-app.ts'
import { writeProgram, writeShim } from '../../protocols/desk/client/shim.ts'
import { CONTRACTS } from '../../protocols/desk/contracts.ts'
import type { ProtocolServer } from '../../protocols/protocol.ts'
import { OBSERVER_DOORS, SESSION_PROTOCOLS } from '../../protocols/registry.ts'
import {
  type AgentContext,
  AgentCrash,
  type AgentKind,
  type AgentServices,
  type EvaluatedAgent,
  type ModelUsage,
  NoResult,
} from './agent.ts'
import { makeAgentFolder } from './agent-folder.ts'
import { filesInCommand, hashOfFiles } from './content.ts'
import { ReportedUsage } from './module.ts'

/** An agent that has finished its run or reached a limit gets so long to exit by itself, in milliseconds. */
const EXIT_MS = 2000
const MAX_LOG_CHARACTERS = 1_000_000
const SHOWN_LOG_CHARACTERS = 600
/** What a program has written arrives in this time after its end, in milliseconds. A process that it left behind may keep the pipe. */
const DRAIN_MS = 1000
const MAX_USAGE_BYTES = 65_536

/**
 * An agent that is a shell command. Each episode starts it anew, in a process group of its own, with a server of its desktop.
 * Its environment has that of this process, `BACKLOT_URL` (REST), `BACKLOT_MCP_URL`, `BACKLOT_COMPUTER_URL`, `BACKLOT_OSWORLD_URL`, `BACKLOT_TOKEN`,
 * `BACKLOT_TASK`, the names and limits of the episode, and `BACKLOT_USAGE_FILE`, into which it may write the tokens of its model as JSON.
 */
export const commandAgent = (command: string, parts: AgentServices): EvaluatedAgent => ({
  name: command,
  play: async (context) => {
    const token = randomBytes(16).toString('hex')
    const folder = makeAgentFolder()
    // An agent that is run as another user finds its programs and what it writes into, and lists and reads nothing else.
    chmodSync(folder, 0o711)
    const usageFile = writableByAll(join(folder, 'usage.json'))
    const sleeps = writableByAll(join(folder, 'sleeps'))
    const doors = await openDoors(context.desktop, token)
    try {
      const variables = {
        ...doors.addresses,
        BACKLOT_TOKEN: token,
        BACKLOT_USAGE_FILE: usageFile,
        PATH: [writePrograms(folder, sleeps, doors.addresses, token), parts.environment.PATH ?? ''].join(delimiter),
      }
      const log = await run(command, context, parts, variables)
      return { log, usage: usageIn(usageFile), sleeps: linesIn(sleeps) }
    } finally {
      await doors.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
})

/** Makes an empty file that every user may write into and only this one may read. */
function writableByAll(file: string): string {
  writeFileSync(file, '')
  chmodSync(file, 0o622)
  return file
}

/** The folder for the front of the agent's PATH: the command line under each of its names, and a `sleep` that writes a line. */
function writePrograms(
  folder: string,
  sleeps: string,
  { BACKLOT_URL }: Readonly<Record<string, string>>,
  token: string,
): string {
  const programs = join(folder, 'bin')
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? '']
  const host = {
    environment: { BACKLOT_URL, BACKLOT_TOKEN: token },
    ownFolder: folder,
    workingFolder: folder,
    program: [...program, 'desk'],
  }
  for (const contract of CONTRACTS)
    if (contract.program !== undefined) writeShim([programs], { contract, version: contract.versions[0] ?? '' }, host)
  writeProgram(join(programs, 'backlot'), program)
  writeProgram(join(programs, 'sleep'), ['/bin/sleep'], `echo >> ${quoted(sleeps)}`)
  return programs
}

const MAX_SLEEPS = 1_000_000

/** How often the agent called `sleep`: each call has written an empty line. */
const linesIn = (sleeps: string): number => Math.min(statSync(sleeps, { throwIfNoEntry: false })?.size ?? 0, MAX_SLEEPS)

/** Every other name: it comes last in the list of kinds. */
export const commandKind: AgentKind = {
  syntax: 'a shell command that is run for each episode',
  read: (name) => name,
  open: commandAgent,
  hash: (command) => hashOfFiles(filesInCommand(command)),
}

interface OpenDoors {
  readonly addresses: Readonly<Record<string, string>>
  close(): Promise<unknown>
}

/**
 * Serves a desktop over REST, MCP and the computer tools, and over each protocol of sessions, such as OSWorld's server.
 * Internal errors are those of the session.
 */
async function openDoors({ session }: MemorySession, token: string): Promise<OpenDoors> {
  const onBug = (bug: unknown) => session.context.report(bug, 'http')
  const rest = await createFastifyApp({ session }, { token }, OBSERVER_DOORS, onBug)
  const servers: ProtocolServer[] = []
  const close = () => Promise.all([rest.close(), ...servers.map((server) => server.close())])
  try {
    const at = { host: '127.0.0.1', port: 0 }
    const url = await rest.listen(at)
    const addresses: Record<string, string> = {
      BACKLOT_URL: url,
      BACKLOT_MCP_URL: `${url}/mcp`,
      BACKLOT_COMPUTER_URL: `${url}/computer`,
    }
    for (const { name, create } of SESSION_PROTOCOLS.filter(({ isForAgents }) => isForAgents)) {
      const access = { hosts: [], origins: [], token }
      const sessions = oneSession(session)
      const protocol = await create({ session, sessions, access, version: VERSION, livePage: () => undefined, onBug })
      const server = await protocol.listen(at)
      servers.push(server)
      addresses[`BACKLOT_${String(name).toUpperCase()}_URL`] = server.url
    }
    return { addresses, close }
  } catch (error) {
    await close()
    throw error
  }
}

const aboutEpisode = ({ episode, task, agentSeed }: AgentContext) => ({
  BACKLOT_TASK: task,
  BACKLOT_TASK_ID: episode.task,
  BACKLOT_EPISODE: episode.id,
  BACKLOT_SEED: String(agentSeed),
  BACKLOT_MAX_STEPS: String(episode.budget.max_steps ?? ''),
  BACKLOT_TIME_S: String(episode.budget.time_s ?? ''),
  BACKLOT_MAX_TOKENS: String(episode.budget.tokens ?? ''),
})

/** How a command has ended. */
interface CommandEnd {
  /** Undefined after success. */
  readonly problem: string | undefined
  /** False where the end says nothing about the agent. */
  readonly isStarted: boolean
}

/** Exit codes after which an episode has no result: EX_TEMPFAIL of sysexits.h, and those of a shell that cannot run the command. */
const NO_RESULT_CODES: ReadonlySet<number> = new Set([75, 126, 127])

/** Runs the command until it exits, the agent finishes, or a limit is reached. Resolves to what it wrote. */
async function run(
  command: string,
  context: AgentContext,
  { environment, onProcess }: AgentServices,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment, ...variables, ...aboutEpisode(context) },
  })
  const { text, isClosed } = collect(child)
  if (child.pid !== undefined) onProcess(child.pid, true)
  const ended = new Promise<CommandEnd>((resolve) => {
    child.on('error', ({ message }) => resolve({ problem: message, isStarted: false }))
    child.on('exit', (code, signal) => {
      const problem = code === 0 ? undefined : signal ? `signal ${signal}` : `code ${code}`
      resolve({ problem, isStarted: code === null || !NO_RESULT_CODES.has(code) })
    })
  })
  let isEnded = false
  const end = () => {
    if (!isEnded) endGroup(child, () => isEnded)
  }
  context.signal.addEventListener('abort', end, { once: true })
  const stopWatching = watchFinish(context, end)
  const { problem, isStarted } = await ended
  isEnded = true
  stopWatching()
  context.signal.removeEventListener('abort', end)
  // Programs that the agent has left behind.
  killGroupOf(child, 'SIGKILL')
  if (child.pid !== undefined) onProcess(child.pid, false)
  await Promise.race([isClosed, setTimeout(DRAIN_MS, undefined, { ref: false })])
  child.stdout?.destroy()
  child.stderr?.destroy()
  const log = text()
  const { finish } = context.desktop.session.episode
  if (problem !== undefined && !finish && !context.signal.aborted)
    throw new (isStarted ? AgentCrash : NoResult)(`it ended with ${problem}${lastLines(log)}`, log)
  return log
}

/** Asks the group to end, and kills it if it does not. */
function endGroup(child: ChildProcess, isEnded: () => boolean): void {
  killGroupOf(child, 'SIGTERM')
  void setTimeout(EXIT_MS, undefined, { ref: false }).then(() => {
    if (!isEnded()) killGroupOf(child, 'SIGKILL')
  })
}

/** Calls `end` some time after the agent has finished its run. */
function watchFinish({ desktop }: AgentContext, end: () => void): () => void {
  const watch = setInterval(() => {
    if (!desktop.session.episode.finish) return
    clearInterval(watch)
    void setTimeout(EXIT_MS, undefined, { ref: false }).then(end)
  }, 100)
  return () => clearInterval(watch)
}

/** Sends a signal to the process group of a child process that leads one. */
export function killGroupOf({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) killGroup(pid, signal)
}

/** Sends a signal to a process group. A group that has ended is ignored; macOS reports one of zombies as EPERM. */
export function killGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/** Keeps the end of what a process writes. `isClosed` resolves when no process can write any more. */
function collect(child: ChildProcess): { readonly text: () => string; readonly isClosed: Promise<void> } {
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.length > 2 * MAX_LOG_CHARACTERS) text = text.slice(-MAX_LOG_CHARACTERS)
    })
  }
  const isClosed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return { text: () => text.slice(-MAX_LOG_CHARACTERS), isClosed }
}

function lastLines(log: string): string {
  const shown = log.trim().slice(-SHOWN_LOG_CHARACTERS)
  return shown === '' ? '' : `: ${shown}`
}

/** The usage that the agent has written. What it wrote otherwise is ignored. */
function usageIn(file: string): ModelUsage | undefined {
  try {
    const about = statSync(file)
    if (!about.isFile() || about.size > MAX_USAGE_BYTES) return undefined
    const read = ReportedUsage.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}
