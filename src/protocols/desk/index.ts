import type { DoorDefinition } from '../door.ts'
import type { DeskHttp } from './http.ts'

/** The command line `backlot desk` on the observer's port. Its commands are loaded by the first request. */
export const deskDoor: DoorDefinition = {
  name: 'desk',
  path: '/desk',
  loadOperations: async () => (await import('./http.ts')).deskOperations,
  loadProbes: async () => [(await import('./probe.ts')).deskProbe],
  open: (context) => {
    let loading: Promise<DeskHttp> | undefined
    const load = () => {
      loading ??= import('./http.ts').then(({ createDeskHttp }) => createDeskHttp(context))
      return loading
    }
    return {
      addRoutes: (scope) => {
        scope.post('/desk', async (request, reply) => (await load()).run(request, reply))
      },
      hasWords: true,
      close: async () => {},
    }
  },
}
