import type { DoorDefinition } from '../door.ts'
import { requestFault } from '../http/status.ts'
import type { ComputerHttp } from './http.ts'

const PATH = '/computer'
const VENDORS = ['anthropic', 'openai', 'gemini', 'anthropic-browser', 'openai-browser'] as const

/** The computer tools of model vendors on the observer's port. They are loaded by the first request. */
export const computerToolsDoor: DoorDefinition = {
  name: 'computer-tools',
  path: PATH,
  headers: {
    request: ['x-backlot-confirm'],
    response: ['x-backlot-confirm', 'x-backlot-confirm-message', 'x-backlot-error', 'x-backlot-error-message'],
  },
  loadOperations: async () => (await import('./http.ts')).computerOperations,
  loadProbes: async () => [(await import('./probe.ts')).computerToolsProbe],
  open: (context) => {
    let loading: Promise<ComputerHttp> | undefined
    const load = () => {
      loading ??= import('./http.ts').then(({ createComputerHttp }) => createComputerHttp(context))
      return loading
    }
    return {
      addRoutes: (scope) => {
        scope.get(PATH, async (request) => (await load()).directory(request))
        for (const vendor of VENDORS)
          scope.register(async (routes) => {
            routes.setErrorHandler(async (error, request, reply) => {
              const { vendorError } = await import('./http.ts')
              const fault = requestFault(error, request)
              if (fault.code === 'Internal' || fault.code === 'StorageFailed') context.report(error)
              const { status, body } = vendorError(fault, vendor)
              return reply.code(status).send(body)
            })
            routes.post(`${PATH}/${vendor}`, async (request, reply) => (await load()).run(request, reply, vendor))
            routes.get(`${PATH}/${vendor}/definition`, async (request) => (await load()).define(request, vendor))
          })
      },
      close: async () => {},
    }
  },
}
