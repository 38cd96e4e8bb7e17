import type { RemoteDesktop } from '../../src/protocols/computer-tools/remote.ts'
import { createRestApp, type TestDesktop } from '../../src/testing.ts'

/** The computer tools of a test desktop as those of a running server, without a socket. */
export async function overHttp(desktop: TestDesktop): Promise<RemoteDesktop> {
  const app = await createRestApp(desktop)
  const send = async (url: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    const reply = await app.inject({ method: 'POST', url: url.replace('http://x', ''), headers, payload: body })
    const sent = new Headers(Object.entries(reply.headers).map(([name, value]) => [name, String(value)]))
    return new Response(reply.body, { status: reply.statusCode, headers: sent })
  }
  return { url: 'http://x/computer/', fetch: send as unknown as typeof fetch }
}
