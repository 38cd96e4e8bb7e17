import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isObject, type JsonObject, objectsIn } from '../agent/vendors/vendor.ts'

/** A request to the model. */
interface ModelRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
}

/** A model that signs in on the scenario `login`, over one of the APIs. Each request has all that it needs to know. */
interface ModelApi {
  /** The number of answers that the request follows. */
  readonly stepOf: (body: JsonObject) => number
  /** The answer that tells the agent its next action, for the user whom the task names. */
  readonly answer: (step: number, user: string) => unknown
  /** What is wrong with a request that follows so many answers. */
  readonly problems: (request: ModelRequest, step: number) => readonly (string | false)[]
}

type Action = { readonly click: readonly [x: number, y: number] } | { readonly type: string }

/** The clicks in pixels of the screen, and the texts. */
const actionsFor = (user: string): readonly Action[] => [
  { click: [320, 212] },
  { type: user },
  { click: [320, 252] },
  { type: 'correct horse' },
  { click: [250, 294] },
]

const assistants = ({ messages }: JsonObject) => objectsIn(messages).filter(({ role }) => role === 'assistant').length
const last = (values: unknown): JsonObject => objectsIn(values).at(-1) ?? {}
const isPicture = (value: unknown): boolean => /^data:image\/png;base64,iVBOR/.test(String(value))

const FUNCTIONS = (user: string): readonly (readonly [string, object])[] => [
  ['click_element', { selector: 'Edit "Username"' }],
  ['type_text', { text: user }],
  ['click_element', { selector: 'Edit "Password"' }],
  ['type_text', { text: 'correct horse' }],
  ['click_element', { selector: 'Button "Login"' }],
  ['finish', { status: 'done' }],
]

const completion = (message: object) => ({ choices: [{ message: { role: 'assistant', ...message } }] })

/** OpenAI's chat completions. Without tools, the model writes pyautogui. */
const chat: ModelApi = {
  stepOf: assistants,
  answer: (step, user) => {
    const [name, args] = FUNCTIONS(user)[step] ?? ['finish', { status: 'done' }]
    const call = { id: `call_${step}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }
    return completion({ content: null, tool_calls: [call] })
  },
  problems: ({ headers, body }, step) => [
    headers.authorization !== 'Bearer k' && 'no key',
    !JSON.stringify(body.tools).includes('"click_element"') && 'no tool click_element',
    step > 0 &&
      !objectsIn(body.messages).some(
        ({ role, tool_call_id, content }) =>
          role === 'tool' && tool_call_id === `call_${step - 1}` && /"ok": ?true/.test(String(content)),
      ) &&
      'no result of the last call',
  ],
}

/** OpenAI's chat completions with a function that runs commands. */
const shell: ModelApi = {
  stepOf: assistants,
  answer: (step, user) => {
    const commands = ['snapshot', `type e1 ${user}`, 'type e2 "correct horse"', 'click e3', 'finish']
    const command = `backlot desk ${commands[step] ?? 'finish'}`
    const asked = { name: 'run_command', arguments: JSON.stringify({ command }) }
    return completion({ content: null, tool_calls: [{ id: `call_${step}`, type: 'function', function: asked }] })
  },
  problems: ({ headers, body }, step) => [
    headers.authorization !== 'Bearer k' && 'no key',
    !String(objectsIn(body.messages)[0]?.content).includes('# Using a desktop with') && 'no skill',
    step > 0 && last(body.messages).tool_call_id !== `call_${step - 1}` && 'no result of the last call',
    step > 0 && !String(last(body.messages).content).endsWith('(exit code 0)') && 'the command failed',
  ],
}

const pyautogui: ModelApi = {
  stepOf: assistants,
  answer: (step, user) => {
    const action = actionsFor(user)[step]
    if (action === undefined) return completion({ content: 'DONE' })
    const code = 'click' in action ? `click(${action.click.join(', ')})` : `write(${JSON.stringify(action.type)})`
    return completion({ content: `Next:\n\`\`\`python\npyautogui.${code}\n\`\`\`` })
  },
  problems: ({ headers, body }, step) => {
    const messages = objectsIn(body.messages)
    const { image_url } = last(last(messages).content)
    return [
      headers.authorization !== 'Bearer k' && 'no key',
      !(isObject(image_url) && isPicture(image_url.url)) && 'no screenshot',
      step > 0 && messages.at(-2)?.content !== '(no output)' && `the program wrote ${messages.at(-2)?.content}`,
    ]
  },
}

/** Anthropic's messages with its computer tool. */
const anthropic: ModelApi = {
  stepOf: assistants,
  answer: (step, user) => {
    const usage = { input_tokens: 10, output_tokens: 1 }
    const action = actionsFor(user)[step]
    if (action === undefined)
      return { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn', usage }
    const input =
      'click' in action ? { action: 'left_click', coordinate: action.click } : { action: 'type', text: action.type }
    const call = { type: 'tool_use', id: `toolu_${step}`, name: 'computer', input }
    return { role: 'assistant', content: [{ type: 'text', text: 'Next.' }, call], stop_reason: 'tool_use', usage }
  },
  problems: ({ headers, body }, step) => {
    const result = last(last(body.messages).content)
    return [
      headers['x-api-key'] !== 'k' && 'no key',
      headers['anthropic-beta'] === undefined && 'no beta',
      last(body.tools).name !== 'computer' && 'no computer tool',
      step > 0 && result.tool_use_id !== `toolu_${step - 1}` && 'no result of the last call',
      step > 0 && result.is_error === true && `the call failed: ${JSON.stringify(result.content)}`,
      step > 0 && !objectsIn(result.content).some(({ type }) => type === 'image') && 'no screenshot',
    ]
  },
}

/** OpenAI's responses with its computer tool. */
const responses: ModelApi = {
  stepOf: ({ previous_response_id: id }) => (id === undefined ? 0 : Number(String(id).split('_')[1]) + 1),
  answer: (step, user) => {
    const usage = { input_tokens: 10, output_tokens: 1 }
    const action = actionsFor(user)[step]
    if (action === undefined) return { id: `resp_${step}_${user}`, output: [{ type: 'message', content: [] }], usage }
    const [x, y] = 'click' in action ? action.click : []
    const done = 'click' in action ? { type: 'click', button: 'left', x, y } : { type: 'type', text: action.type }
    const call = {
      type: 'computer_call',
      id: `cu_${step}`,
      call_id: `call_${step}`,
      actions: [done],
      status: 'completed',
    }
    return { id: `resp_${step}_${user}`, output: [{ type: 'reasoning', summary: [] }, call], usage }
  },
  problems: ({ headers, body }, step) => {
    const { type, call_id, output } = last(body.input)
    return [
      headers.authorization !== 'Bearer k' && 'no key',
      !String(last(body.tools).type).startsWith('computer') && 'no computer tool',
      step > 0 && (type !== 'computer_call_output' || call_id !== `call_${step - 1}`) && 'no result of the last call',
      step > 0 && !(isObject(output) && isPicture(output.image_url)) && 'no screenshot',
    ]
  },
}

/** Gemini's generateContent with computer use. */
const gemini: ModelApi = {
  stepOf: ({ contents }) => objectsIn(contents).filter(({ role }) => role === 'model').length,
  answer: (step, user) => {
    const action = actionsFor(user)[step]
    const thousandths = ([x, y]: readonly [number, number]) => ({ x: (x * 1000) / 1280, y: (y * 1000) / 800 })
    const functionCall =
      action === undefined
        ? undefined
        : 'click' in action
          ? { name: 'click', args: mapped(thousandths(action.click)) }
          : { name: 'type', args: { text: action.type } }
    const parts = functionCall ? [{ text: 'Next.' }, { functionCall }] : [{ text: 'Done.' }]
    return {
      candidates: [{ content: { role: 'model', parts } }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1 },
    }
  },
  problems: ({ headers, body }, step) => {
    const { functionResponse } = last(last(body.contents).parts)
    const { response, parts } = isObject(functionResponse) ? functionResponse : {}
    return [
      headers['x-goog-api-key'] !== 'k' && 'no key',
      !('computerUse' in last(body.tools)) && 'no computer use',
      step > 0 && !(isObject(response) && response.output === 'Done.') && `no result: ${JSON.stringify(response)}`,
      step > 0 && !('inlineData' in last(parts)) && 'no screenshot',
    ]
  },
}

const mapped = ({ x, y }: { readonly x: number; readonly y: number }) => ({ x: Math.round(x), y: Math.round(y) })

const apiOf = (path: string, body: JsonObject): ModelApi | undefined => {
  if (path === '/v1/chat/completions') {
    if (body.tools === undefined) return pyautogui
    return JSON.stringify(body.tools).includes('"run_command"') ? shell : chat
  }
  if (path === '/v1/messages') return anthropic
  if (path === '/v1/responses') return responses
  return path === '/v1beta/models/m:generateContent' ? gemini : undefined
}

/** Starts an endpoint of all APIs whose model signs in. `problems` has what its requests lack. */
export async function startLoginModel() {
  const problems: string[] = []
  const counts = { requests: 0 }
  const server = createServer(async (incoming, response) => {
    let text = ''
    for await (const part of incoming) text += String(part)
    const body = JSON.parse(text) as JsonObject
    const api = apiOf(incoming.url ?? '', body)
    counts.requests++
    if (!api) return response.writeHead(404).end('there is no such route')
    const step = api.stepOf(body)
    const found = api.problems({ headers: incoming.headers, body }, step).filter((problem) => problem !== false)
    // With OpenAI's responses the task is in the first request only; later ones name the response before, which has the user.
    const user = (/Sign in to Acme as (\w+)/.exec(text) ?? /"resp_\d+_(\w+)"/.exec(text))?.[1]
    if (user === undefined) found.push('no task')
    problems.push(...found.map((problem) => `step ${step}: ${problem}`))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(api.answer(step, user ?? '')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    problems,
    counts,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
