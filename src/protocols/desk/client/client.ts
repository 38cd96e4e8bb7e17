import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { ClientHost, CommandResult } from '../contract.ts'
import { CONTRACT_CHOICES, findContract } from '../contracts.ts'
import { textHelp } from '../text/usage.ts'

/** Where the desktop is. */
interface Connection {
  readonly url: string
  readonly session: string
  readonly token: string
  readonly contract: string
}

/** The client was called wrongly, or no server answered. */
class ClientError extends Error {
  readonly kind: 'usage' | 'connection' | 'refused'

  constructor(kind: 'usage' | 'connection' | 'refused', message: string) {
    super(message)
    this.kind = kind
  }
}

/** Runs a command on the desktop of a server. Never acts on a real desktop by itself: without an address it does nothing. */
export async function runClient(argv: readonly string[], host: ClientHost): Promise<CommandResult> {
  const chosen = chooseContract(argv, host.environment.BACKLOT_DESK_CONTRACT)
  const { contract, version, words } = chosen
  try {
    if (chosen.problem !== undefined) throw new ClientError('usage', chosen.problem)
    const isText = contract.name === 'text'
    if (isText && (words.length === 0 || ['--help', '-h'].includes(words[0]!)))
      return { stdout: textHelp(), stderr: '', exit: 0 }
    if (isText && words[0] === 'skills') return (await import('./skills.ts')).printSkills(words.slice(1), host)
    if (words[0] === '--shim') return (await import('./shim.ts')).writeShim(words.slice(1), chosen, host)
    refuseSecrets(words)
    const connection = connectionOf(host.environment)
    const environment = Object.fromEntries(
      contract.environment.flatMap((name) => {
        const value = host.environment[name]
        return value === undefined ? [] : [[name, value]]
      }),
    )
    const body = {
      contract: version === '' ? contract.name : `${contract.name}@${version}`,
      argv: words,
      environment,
      home: host.workingFolder,
    }
    const result = await send(connection, body)
    for (const file of result.files ?? []) writeFile(file, words, host)
    return result
  } catch (thrown) {
    if (!(thrown instanceof ClientError)) throw thrown
    return contract.fail({ kind: thrown.kind, message: thrown.message }, { argv: words, version })
  }
}

/** The contract of `--contract`, which comes first, else of the environment, else our own. */
function chooseContract(argv: readonly string[], byDefault = 'text') {
  const [first, second] = argv
  const given = first === '--contract' ? second : first?.startsWith('--contract=') ? first.slice(11) : undefined
  const words = given === undefined ? argv : argv.slice(first === '--contract' ? 2 : 1)
  const name = given ?? byDefault
  const found = findContract(name)
  if (found) return { ...found, words, problem: undefined }
  const problem = `there is no contract ${JSON.stringify(name)}; use ${CONTRACT_CHOICES.join(', ')}`
  return { ...findContract('text')!, words, problem }
}

/** A command line can be read by every process of the machine. */
function refuseSecrets(words: readonly string[]): void {
  if (words.some((word) => /^--(?:harness-)?token(?:=|$)/.test(word)))
    throw new ClientError(
      'usage',
      'a token on a command line can be read by other processes: put it into BACKLOT_TOKEN',
    )
}

function connectionOf(environment: ClientHost['environment']): Connection {
  const { BACKLOT_URL, BACKLOT_SESSION, BACKLOT_TOKEN, BACKLOT_DESK_FILE } = environment
  // The file of a shim is for the user who wrote it; others have the variables.
  const stored = BACKLOT_DESK_FILE && !(BACKLOT_URL && BACKLOT_TOKEN) ? readConnection(BACKLOT_DESK_FILE) : {}
  const url = BACKLOT_URL || stored.url
  if (!url)
    throw new ClientError(
      'connection',
      'set BACKLOT_URL to the address of a server, such as http://127.0.0.1:5001; npx backlot serve starts one',
    )
  return {
    url,
    session: BACKLOT_SESSION || stored.session || '',
    token: BACKLOT_TOKEN || stored.token || '',
    contract: stored.contract || '',
  }
}

function readConnection(path: string): Partial<Connection> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'))
  } catch (error) {
    throw new ClientError('connection', `BACKLOT_DESK_FILE cannot be read: ${(error as Error).message}`)
  }
  throw new ClientError('connection', 'BACKLOT_DESK_FILE is not a JSON object with url, session and token')
}

async function send({ url, session, token }: Connection, body: object): Promise<CommandResult> {
  const address = addressOf(url, session)
  const text = JSON.stringify(body)
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...(token && { authorization: `Bearer ${token}` }),
  }
  const request = address.protocol === 'https:' ? (await import('node:https')).request : httpRequest
  const { status, answer } = await new Promise<{ status: number; answer: string }>((done, failed) => {
    const sent = request(address, { method: 'POST', headers, agent: false }, (response: IncomingMessage) => {
      let answer = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        answer += chunk
      })
      response.on('end', () => done({ status: response.statusCode ?? 0, answer }))
      response.on('error', failed)
    })
    sent.on('error', failed)
    sent.end(text)
  }).catch((error: NodeJS.ErrnoException) => {
    throw new ClientError('connection', `no server answers at ${address.origin}: ${error.code ?? error.message}`)
  })
  return readAnswer(status, answer, address)
}

function addressOf(url: string, session: string): URL {
  try {
    const base = new URL(url)
    const below = session === '' ? '' : `/sessions/${encodeURIComponent(session)}`
    base.pathname = `${base.pathname.replace(/\/$/, '')}${below}/desk`
    if (base.protocol === 'http:' || base.protocol === 'https:') return base
  } catch {
    // Reported below.
  }
  throw new ClientError(
    'connection',
    `BACKLOT_URL ${JSON.stringify(url)} is not an address such as http://127.0.0.1:5001`,
  )
}

const REMEDIES: Readonly<Record<string, string>> = {
  Unauthorized: ': put the token of the server into BACKLOT_TOKEN',
  SessionNotFound: ': BACKLOT_SESSION names no open session',
}

function readAnswer(status: number, answer: string, address: URL): CommandResult {
  let value: unknown
  try {
    value = JSON.parse(answer)
  } catch {
    throw new ClientError('connection', `${address.href} does not answer as a Backlot server does (status ${status})`)
  }
  if (status === 200 && isResult(value)) return value
  const { code = String(status), message = 'no reason is given' } =
    (value as { readonly error?: { readonly code?: string; readonly message?: string } }).error ?? {}
  const kind = code === 'BadRequest' && status === 400 ? 'usage' : 'refused'
  throw new ClientError(kind, `${code}: ${message}${REMEDIES[code] ?? ''}`)
}

const isResult = (value: unknown): value is CommandResult =>
  typeof value === 'object' && value !== null && 'stdout' in value && 'exit' in value

/** Writes a file at a path that the user gave, or below the folder for files without one. */
function writeFile(
  { path, data }: NonNullable<CommandResult['files']>[number],
  words: readonly string[],
  { workingFolder }: ClientHost,
): void {
  const isGiven = words.includes(path)
  const below = `${workingFolder}/`
  if (!isGiven && !(path.startsWith(below) && !path.slice(below.length).includes('..')))
    throw new ClientError('refused', `the server wants a file at ${path}, which the command does not name`)
  const file = isAbsolute(path) ? path : resolve(workingFolder, path)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, Buffer.from(data, 'base64'))
  } catch (error) {
    throw new ClientError('usage', `${path} cannot be written: ${(error as Error).message}`)
  }
}
