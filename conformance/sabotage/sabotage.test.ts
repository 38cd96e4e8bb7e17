import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { start } from '../../fixtures/broken-servers/agent-webkit.ts'
import { TOKEN } from '../../fixtures/broken-servers/agent-webkit-violations.ts'
import { loadSuite } from '../protocols.ts'
import { closeOnFrame, onClientMessage } from '../suite/behaviors.ts'
import { allSabotages, changeData, generatedSabotages } from '../suite/generated-sabotages.ts'
import { createControl, type Sabotage } from '../suite/sabotage.ts'
import { openProxy } from './proxy.ts'
import { openStdioProxy, runSabotaged } from './serve.ts'

const agentWebkit = await loadSuite('agent-webkit')
const observer = await loadSuite('observer')

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function miniature() {
  const server = await start()
  closing.push(server.close)
  return server.url
}

const sabotage = (name: string) => {
  const found = allSabotages(agentWebkit).find((one) => one.name === name)
  if (!found) throw new Error(`unknown sabotage "${name}"`)
  return found
}

async function behind(name: string) {
  const proxy = await openProxy({ target: await miniature(), sabotage: sabotage(name) })
  closing.push(proxy.close)
  const create = () =>
    fetch(`${proxy.url}/sessions`, { method: 'POST', body: '{}', headers: { authorization: `Bearer ${TOKEN}` } })
  return { proxy, create }
}

describe('a generated sabotage', () => {
  it('exists for every required field of every shape, three times', () => {
    const names = generatedSabotages(agentWebkit.contract).map((one) => one.name)
    for (const how of ['drops', 'renames', 'retypes']) {
      expect(names).toContain(`POST /sessions 200: ${how} session_id`)
      expect(names).toContain(`event ask_user_question: ${how} questions`)
    }
    expect(names).toContain('event tool_result: drops output')
    expect(names).not.toContain('event tool_result: retypes output')
  })

  it('exists for every required field of every error, by status', () => {
    const names = generatedSabotages(agentWebkit.contract).map((one) => one.name)
    for (const how of ['drops', 'renames', 'retypes']) expect(names).toContain(`error 404: ${how} detail`)
    expect(names).toContain('error 412: answers 499 instead')
    expect(generatedSabotages(observer.contract).map((one) => one.name)).toContain('error 409: drops error.code')
  })

  it('exists for every required field of the messages of MCP, errors included', () => {
    const names = allSabotages(observer).map((one) => one.name)
    for (const how of ['drops', 'renames', 'retypes'])
      for (const field of ['initialize: X serverInfo.name', 'error: X code', 'failure: X error.recoverable'])
        expect(names).toContain(`MCP ${field.replace('X', how)}`)
  })

  it('exists for the fields of each alternative of a shape', () => {
    const names = generatedSabotages(observer.contract).map((one) => one.name)
    expect(names).toContain('GET /api/observe 200: drops changes')
    expect(names).toContain('GET /api/observe 200: drops tree')
    expect(names).toContain('error 400: drops error.code')
  })

  it('drops a field of an error on the wire', async () => {
    const { proxy } = await behind('error 401: drops detail')
    const answer = await fetch(`${proxy.url}/sessions`, { method: 'POST', body: '{}' })
    expect([answer.status, await answer.json()]).toEqual([401, {}])
  })

  it('drops a field on the wire', async () => {
    const { create, proxy } = await behind('POST /sessions 200: drops session_id')
    expect(await (await create()).json()).toEqual({ protocol_version: '1.0' })
    expect(proxy.touched).toBe(true)
  })

  it('retypes a field to something that does not fit', async () => {
    const { create } = await behind('POST /sessions 200: retypes session_id')
    expect(await (await create()).json()).toEqual({ session_id: { retyped: 'string' }, protocol_version: '1.0' })
  })
})

describe('a frame', () => {
  it('keeps everything but its changed data', () => {
    const changed = changeData('id: 4\nevent: result\ndata: {"a":1}', (data) => Object.assign(data as object, { a: 2 }))
    expect(changed).toBe('id: 4\nevent: result\ndata: {"a":2}')
  })
})

describe('the proxy of a process', () => {
  const answers = `node -e "process.stdin.on('data', (line) => process.stdout.write(line)).on('end', () => process.exit(4))"`

  async function spoken(sabotage: Partial<Sabotage>, ...asked: readonly string[]) {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const { ended } = openStdioProxy({
      command: answers,
      sabotage: { ...createControl('observer'), ...sabotage },
      input,
      output,
    })
    for (const line of asked) input.write(`${line}\n`)
    input.end()
    const code = await ended
    return {
      code,
      lines: String(output.read() ?? '')
        .split('\n')
        .slice(0, -1),
    }
  }

  it('forwards lines and the exit code without a sabotage', async () => {
    expect(await spoken({}, '{"id":1}', '{"id":2}')).toEqual({ code: 4, lines: ['{"id":1}', '{"id":2}'] })
  })

  it('changes lines, sends additional ones and changes the exit code', async () => {
    const twice: Sabotage['interceptLines'] = (say) => {
      say('Hello')
      return { fromServer: (line) => [line, line] }
    }
    expect(await spoken({ interceptLines: twice, exitCode: 1 }, '{"id":1}')).toEqual({
      code: 1,
      lines: ['Hello', '{"id":1}', '{"id":1}'],
    })
  })
})

describe('the proxy', () => {
  it('forwards everything without a sabotage', async () => {
    const proxy = await openProxy({ target: await miniature(), sabotage: createControl('agent-webkit') })
    closing.push(proxy.close)
    const answer = await fetch(`${proxy.url}/nothing`)
    expect([answer.status, await answer.json()]).toEqual([404, { detail: 'Not Found' }])
    expect(proxy.touched).toBe(false)
  })
})

describe('the proxy of a socket', () => {
  async function echo() {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    server.on('connection', (socket) => socket.on('message', (data) => socket.send(String(data))))
    closing.push(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function through(interceptor: Sabotage['interceptSocket']) {
    const sabotage = { ...createControl('cortask'), ...(interceptor && { interceptSocket: interceptor }) }
    const proxy = await openProxy({ target: await echo(), sabotage })
    closing.push(proxy.close)
    const socket = new WebSocket(proxy.url.replace('http', 'ws'))
    await once(socket, 'open')
    const ask = async (text: string) => {
      const answered = once(socket, 'message')
      socket.send(text)
      return String((await answered)[0])
    }
    return { proxy, socket, ask }
  }

  it('forwards both directions without a sabotage', async () => {
    const { proxy, ask } = await through(() => ({}))
    expect([await ask('{"type":"hello"}'), proxy.touched]).toEqual(['{"type":"hello"}', false])
  })

  it('changes client messages before the server receives them', async () => {
    const { interceptSocket } = onClientMessage((message) => {
      message.type = 'bye'
    })
    const { proxy, ask } = await through(interceptSocket)
    expect([await ask('{"type":"hello"}'), proxy.touched]).toEqual(['{"type":"bye"}', true])
  })

  it('answers for the server and drops the message', async () => {
    const { interceptSocket } = onClientMessage((_, { sendToClient }) => {
      sendToClient({ type: 'no' })
      return false
    })
    const { ask } = await through(interceptSocket)
    expect(await ask('{"type":"hello"}')).toBe('{"type":"no"}')
  })

  it('hangs up with a code', async () => {
    const { interceptSocket } = closeOnFrame(1011, ({ data }) => String(data) === 'bang')
    const { socket, ask } = await through(interceptSocket)
    await ask('{}')
    socket.send('bang')
    expect((await once(socket, 'close'))[0]).toBe(1011)
  })
})

it('a call of a command line is broken in what it prints and in how it ends', async () => {
  const command = `sh -c 'printf "%s\\n" "{\\"version\\":\\"2.5\\",\\"ok\\":false,\\"command\\":\\"$1\\"}"; exit 1' --`
  const call = (name: string) => runSabotaged({ protocol: 'agent-desktop', name, command }, ['list-windows'])
  expect(await call('exits with 0 after errors')).toEqual({
    words: ['list-windows'],
    stdout: '{"version":"2.5","ok":false,"command":"list-windows"}\n',
    exit: 0,
  })
  expect(await call('writes commands with underscores')).toEqual({
    words: ['list-windows'],
    stdout: '{"version":"2.5","ok":false,"command":"list_windows"}\n',
    exit: 1,
  })
})
