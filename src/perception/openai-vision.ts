import { Fault } from '../base/fault.ts'
import { type Picture, scaleTo } from '../paint/picture.ts'
import type { Vision } from './perception.ts'

const MAX_LONG_EDGE_PX = 1600
const MAX_ANSWER_BYTES = 1024 * 1024
const PATHS = ['/api/v1/chat/completions', '/v1/chat/completions'] as const

export interface VisionSettings {
  readonly baseUrl: string
  readonly model: string
  readonly key: string | undefined
  readonly maxTokens: number
  readonly temperature: number
  readonly timeoutMs: number
}

/** A vision model behind an OpenAI-compatible endpoint, at either of two usual paths. It follows no redirects. */
export function openaiVision(settings: VisionSettings): Vision {
  let known: (typeof PATHS)[number] | undefined

  async function ask(body: string, signal: AbortSignal): Promise<unknown> {
    for (const path of known ? [known] : PATHS) {
      const reply = await send(settings, path, body, signal)
      if (reply.status === 404 && !known && path !== PATHS.at(-1)) continue
      known = path
      return readReply(reply)
    }
    throw new Fault('PlatformUnsupported', `${settings.baseUrl} has no chat completions`)
  }

  return {
    model: settings.model,
    async describe(picture, prompt, signal) {
      const timeout = AbortSignal.timeout(settings.timeoutMs)
      const body = await requestOf(settings, picture, prompt)
      try {
        return answerOf(await ask(body, signal ? AbortSignal.any([signal, timeout]) : timeout))
      } catch (thrown) {
        if (thrown instanceof Fault) throw thrown
        if (timeout.aborted)
          throw new Fault('Timeout', `the vision model did not answer within ${settings.timeoutMs} ms`)
        throw new Fault('PlatformUnsupported', `the vision model at ${settings.baseUrl} cannot be reached`)
      }
    },
  }
}

async function requestOf(settings: VisionSettings, picture: Picture, prompt: string): Promise<string> {
  const scale = Math.min(1, MAX_LONG_EDGE_PX / Math.max(picture.width, picture.height))
  const png = await scaleTo(picture, Math.round(picture.width * scale)).png()
  const url = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
  return JSON.stringify({
    model: settings.model,
    max_tokens: settings.maxTokens,
    temperature: settings.temperature,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: prompt },
          { type: 'image_url', image_url: { url } },
        ],
      },
    ],
  })
}

const send = (settings: VisionSettings, path: string, body: string, signal: AbortSignal): Promise<Response> =>
  fetch(settings.baseUrl.replace(/\/+$/, '') + path, {
    method: 'POST',
    redirect: 'manual',
    signal,
    headers: {
      'content-type': 'application/json',
      ...(settings.key !== undefined && { authorization: `Bearer ${settings.key}` }),
    },
    body,
  })

async function readReply(reply: Response): Promise<unknown> {
  if (!reply.ok) {
    await reply.body?.cancel()
    throw new Fault('PlatformUnsupported', `the vision model answered ${reply.status}`, { status: reply.status })
  }
  const text = await readBounded(reply)
  try {
    return JSON.parse(text)
  } catch {
    throw new Fault('PlatformUnsupported', 'the vision model answered something that is not JSON')
  }
}

async function readBounded(reply: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of reply.body ?? []) {
    size += piece.length
    if (size > MAX_ANSWER_BYTES)
      throw new Fault('PlatformUnsupported', 'the vision model answered more than can be used')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function answerOf(reply: unknown): { text: string; tokens: number } {
  const { choices, usage } = (reply ?? {}) as {
    choices?: { message?: { content?: unknown } }[]
    usage?: { total_tokens?: unknown }
  }
  const text = choices?.[0]?.message?.content
  if (typeof text !== 'string') throw new Fault('PlatformUnsupported', 'the vision model gave no text')
  return { text, tokens: typeof usage?.total_tokens === 'number' ? usage.total_tokens : 0 }
}
