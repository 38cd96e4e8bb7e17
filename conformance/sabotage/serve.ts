import { spawn } from 'node:child_process'
import { type CommandRun, runCommand } from '../probe/command.ts'
import { createRecorder } from '../probe/frame.ts'
import { type CertifiedProtocol, loadSuite } from '../protocols.ts'
import { endGroup, killOnExit } from '../servers/processes.ts'
import { allSabotages } from '../suite/generated-sabotages.ts'
import { isStdioSabotage, type Sabotage } from '../suite/sabotage.ts'
import { type OpenProxy, openProxy } from './proxy.ts'

/** One sabotage of a protocol. */
export interface SabotageInfo {
  readonly name: string
  /** The ids of the requirements that should fail. */
  readonly targets: readonly string[]
  /** Whether it proxies an address, a process on standard input and output, or one call of a command line. */
  readonly transport: 'url' | 'command' | 'call'
}

/** Lists all sabotages of a protocol. */
export async function listSabotages(protocol: CertifiedProtocol): Promise<readonly SabotageInfo[]> {
  return allSabotages(await loadSuite(protocol)).map((one) => ({
    name: one.name,
    targets: one.targets,
    transport: one.changeRun ? 'call' : isStdioSabotage(one) ? 'command' : 'url',
  }))
}

export interface SabotageOptions {
  readonly protocol: CertifiedProtocol
  /** The correct server. */
  readonly url: string
  /** The name of a sabotage. */
  readonly name: string
  /** 0 selects a free port. */
  readonly port?: number
}

/** Starts a proxy that breaks a server in one way. */
export async function startSabotageProxy({ protocol, url, name, port }: SabotageOptions): Promise<OpenProxy> {
  return openProxy({ target: url, sabotage: await findSabotage(protocol, name), ...(port !== undefined && { port }) })
}

/** Starts a proxy that breaks a process in one way. */
export async function startSabotageProcess(
  options: Omit<StdioOptions, 'sabotage'> & { readonly protocol: CertifiedProtocol; readonly name: string },
): Promise<StdioProxy> {
  return openStdioProxy({ ...options, sabotage: await findSabotage(options.protocol, options.name) })
}

/** Calls a command line, and breaks what it leaves behind. */
export async function runSabotaged(
  {
    protocol,
    name,
    command,
  }: { readonly protocol: CertifiedProtocol; readonly name: string; readonly command: string },
  words: readonly string[],
): Promise<CommandRun> {
  const { changeRun } = await findSabotage(protocol, name)
  const run = await runCommand(command, words, createRecorder())
  changeRun?.(run)
  return run
}

async function findSabotage(protocol: CertifiedProtocol, name: string): Promise<Sabotage> {
  const sabotage = allSabotages(await loadSuite(protocol)).find((one) => one.name === name)
  if (!sabotage) throw new Error(`${protocol} has no sabotage "${name}"`)
  return sabotage
}

interface StdioOptions {
  /** Starts the correct server. */
  readonly command: string
  readonly sabotage: Sabotage
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
}

/** A process that proxies another and changes its output. */
interface StdioProxy {
  /** The exit code, once the server has exited. */
  readonly ended: Promise<number>
  stop(): Promise<void>
}

/** Starts a line proxy on standard input and output. */
export function openStdioProxy({ command, sabotage, input, output }: StdioOptions): StdioProxy {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  killOnExit(child)
  const writeLine = (line: string) => void output.write(`${line}\n`)
  const { fromClient, fromServer = inMessages(sabotage.changeMessage) } = sabotage.interceptLines?.(writeLine) ?? {}
  const received = linesOf((line) => fromClient?.(line))
  input.on('data', (bytes: Buffer) => {
    child.stdin.write(bytes)
    received(bytes.toString())
  })
  input.on('end', () => child.stdin.end())
  child.stdin.on('error', () => undefined)
  const outgoing = linesOf((line) => fromServer(line).forEach(writeLine))
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', outgoing)
  return {
    ended: new Promise((resolve) => {
      child.once('error', () => resolve(1))
      child.once('close', (code) => resolve(sabotage.exitCode ?? code ?? 1))
    }),
    stop: async () => {
      if (child.pid !== undefined) await endGroup(child.pid)
    },
  }
}

/** Changes the JSON messages of lines; other lines pass unchanged. */
function inMessages(change: Sabotage['changeMessage']): (line: string) => readonly string[] {
  return (line) => {
    if (!change || !line.startsWith('{')) return [line]
    const message = JSON.parse(line)
    change(message)
    return [JSON.stringify(message)]
  }
}

/** Splits chunks of text into lines. */
function linesOf(take: (line: string) => void): (text: string) => void {
  let buffered = ''
  return (text) => {
    const lines = (buffered + text).split('\n')
    buffered = lines.pop()!
    for (const line of lines) if (line.trim() !== '') take(line)
  }
}
