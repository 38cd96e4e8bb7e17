import type { WrittenScenario } from './messages.ts'

/** A scenario in the fragment of an address, compressed. No server sees fragments. */

const MAX_CHARACTERS = 200_000

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const piped = new Blob([bytes]).stream().pipeThrough(stream as TransformStream<Uint8Array<ArrayBuffer>>)
  return new Uint8Array(await new Response(piped).arrayBuffer())
}

export async function toFragment({ text, seed, variant }: WrittenScenario): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'))
  const code = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''))
  const inUrl = code.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  const chosen = new URLSearchParams([
    ...(seed === undefined ? [] : [['seed', String(seed)]]),
    ...variant.map((choice) => ['variant', choice]),
  ])
  return [`#s=${inUrl}`, ...(chosen.size === 0 ? [] : [chosen])].join('&')
}

/** Undefined if the fragment has no scenario. Throws for one that is damaged or too long. */
export async function fromFragment(fragment: string): Promise<WrittenScenario | undefined> {
  const fields = new URLSearchParams(fragment.slice(1))
  const code = fields.get('s')
  if (code === null) return undefined
  const damaged = 'the scenario of this link is damaged; ask for the link again'
  if (code.length > MAX_CHARACTERS) throw new Error('the scenario of this link is too long')
  try {
    const packed = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      await through(packed, new DecompressionStream('deflate-raw')),
    )
    const seed = fields.get('seed')
    return {
      text,
      seed: seed !== null && /^\d{1,10}$/.test(seed) ? Number(seed) : undefined,
      variant: fields.getAll('variant'),
    }
  } catch {
    throw new Error(damaged)
  }
}
