import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

/** The YAML language server as an editor runs it: a program on standard input and output. */

/** A problem that the server underlines. Lines and columns start at 1. */
export interface Diagnostic {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A place in a file; lines and columns start at 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A file that is open in the editor. */
export interface OpenFile {
  /** The problems of its current text. */
  diagnostics(): Promise<readonly Diagnostic[]>
  /** The labels of the suggestions at a place. */
  completions(position: Position): Promise<readonly string[]>
  /** The text that the editor shows about the word at a place; empty if there is none. */
  hover(position: Position): Promise<string>
}

export interface LanguageServer {
  /** Opens a text as the file at a path, which does not need to exist. */
  open(path: string, text: string): OpenFile
  /** Stops the server. */
  close(): Promise<void>
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

interface Range {
  readonly start: { readonly line: number; readonly character: number }
}

const SETTINGS = {
  yaml: { validate: true, hover: true, completion: true, schemaStore: { enable: false }, schemas: {} },
}

/** Starts the server and waits until it is ready. */
export async function startLanguageServer(): Promise<LanguageServer> {
  const program = createRequire(import.meta.url).resolve('yaml-language-server/bin/yaml-language-server')
  const server = spawn(process.execPath, [program, '--stdio'])
  const connection = connect(server)
  await connection.request('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities: {
      textDocument: {
        completion: { completionItem: { snippetSupport: true } },
        hover: { contentFormat: ['markdown'] },
        diagnostic: {},
      },
      workspace: { configuration: true },
    },
  })
  connection.notify('initialized', {})
  connection.notify('workspace/didChangeConfiguration', { settings: SETTINGS })
  return {
    open(path, text) {
      const { href: uri } = pathToFileURL(path)
      const found = connection.diagnosticsOf(uri)
      connection.notify('textDocument/didOpen', {
        textDocument: { uri, languageId: 'yaml', version: 1, text },
      })
      const at = ({ line, column }: Position) => ({
        textDocument: { uri },
        position: { line: line - 1, character: column - 1 },
      })
      return {
        diagnostics: () => found,
        async completions(position) {
          const answer = await connection.request('textDocument/completion', at(position))
          const { items } = answer as { readonly items: readonly { readonly label: string }[] }
          return items.map(({ label }) => label)
        },
        async hover(position) {
          const answer = await connection.request('textDocument/hover', at(position))
          return (answer as { readonly contents: { readonly value: string } } | null)?.contents.value ?? ''
        },
      }
    },
    async close() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      await connection.request('shutdown', null)
      connection.notify('exit', null)
      await ended
    },
  }
}

/** The messages of the language server protocol: a header with the length, then JSON. */
function connect({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams) {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  const reported = new Map<string, (found: readonly Diagnostic[]) => void>()
  let requests = 0
  let rest = Buffer.alloc(0)
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  stderr.resume()
  stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let message = next(); message; message = next()) receive(message)
  })

  function next(): Message | undefined {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) return undefined
    const length = Number(/Content-Length: (\d+)/i.exec(rest.toString('latin1', 0, end))![1])
    if (rest.length < end + 4 + length) return undefined
    const body = rest.toString('utf8', end + 4, end + 4 + length)
    rest = rest.subarray(end + 4 + length)
    return JSON.parse(body) as Message
  }

  function receive({ id, method, params, result, error }: Message): void {
    if (method === 'textDocument/publishDiagnostics') report(params as PublishedDiagnostics)
    else if (method === 'workspace/configuration')
      send({ id, result: (params as { items: { section: string }[] }).items.map(({ section }) => sectionOf(section)) })
    else if (method !== undefined && id !== undefined) send({ id, result: null })
    else if (id !== undefined) {
      const caller = waiting.get(id)
      waiting.delete(id)
      if (error) caller?.reject(new Error(error.message))
      else caller?.resolve(result)
    }
  }

  function report({ uri, diagnostics }: PublishedDiagnostics): void {
    reported.get(uri)?.(
      diagnostics.map(({ range: { start }, message }) => ({
        line: start.line + 1,
        column: start.character + 1,
        message,
      })),
    )
  }

  return {
    notify: (method: string, params: unknown) => send({ method, params }),
    request: (method: string, params: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        const id = ++requests
        waiting.set(id, { resolve, reject })
        send({ id, method, params })
      }),
    /** The next report of the problems of a file. */
    diagnosticsOf: (uri: string) =>
      new Promise<readonly Diagnostic[]>((resolve) => {
        reported.set(uri, resolve)
      }),
  }
}

interface PublishedDiagnostics {
  readonly uri: string
  readonly diagnostics: readonly { readonly range: Range; readonly message: string }[]
}

const sectionOf = (section: string): unknown => (section === 'yaml' ? SETTINGS.yaml : null)
