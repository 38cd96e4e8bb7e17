import type { FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Route } from '../../http/route.ts'
import { CHROMIUM_PRODUCT, DEVTOOLS_PATH, DEVTOOLS_VERSION, devtoolsTarget, listTabs } from '../chromium.ts'
import { getAnswers, route, type ServerContext } from '../commands.ts'

const Version = z.object({
  Browser: z.string(),
  'Protocol-Version': z.string(),
  webSocketDebuggerUrl: z.string().describe('The socket for commands of the DevTools protocol'),
})

const Tab = z.object({
  id: z.string(),
  type: z.literal('page'),
  title: z.string(),
  url: z.string(),
  webSocketDebuggerUrl: z.string(),
})

const socketUrl = ({ headers }: FastifyRequest): string => `ws://${headers.host}${DEVTOOLS_PATH}`

/** Routes of Chromium's DevTools port, which this server has at its own port. */
export const CHROMIUM_ROUTES: readonly Route<ServerContext>[] = [
  route(
    {
      method: 'get',
      path: '/json/version',
      trailingSlash: true,
      summary: 'The browser, as the DevTools port of Chromium describes it.',
      responses: getAnswers(Version),
    },
    async (_, { request }) => ({
      Browser: CHROMIUM_PRODUCT,
      'Protocol-Version': DEVTOOLS_VERSION,
      webSocketDebuggerUrl: socketUrl(request),
    }),
  ),
  ...(['/json', '/json/list'] as const).map((path) =>
    route(
      {
        method: 'get',
        path,
        trailingSlash: true,
        summary: 'The open tabs of the browser, the active one first.',
        responses: getAnswers(z.array(Tab)),
      },
      async ({ callerOf }, { request }) =>
        (await listTabs(callerOf(request))).map((tab) => ({
          ...devtoolsTarget(tab),
          type: 'page' as const,
          webSocketDebuggerUrl: socketUrl(request),
        })),
    ),
  ),
]
