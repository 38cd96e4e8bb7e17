import type { RequestPlan } from '../harness/load-client.ts'

/** The number of check boxes of the form whose steps are measured over REST. */
export const BOXES = 40

/** The number of desktops that one process steps in turn. */
export const DESKTOPS = 1000

/** The number of concurrent clients. */
export const CLIENTS = 32

const step = (shown: Readonly<Record<string, unknown>>): RequestPlan => ({
  path: '/api/session/step',
  bodies: Array.from({ length: BOXES }, (_, box) =>
    JSON.stringify({ action: { tool: 'click_element', args: { element_id: `b${box}` } }, ...shown }),
  ),
})

/** A click on the next check box, answered with the changes. */
export const STEP = step({ observe: 'diff' })
/** The same, answered with the whole tree. */
export const STEP_WITH_TREE = step({ observe: 'tree' })
/** The same, answered with the whole tree and a new picture. */
export const STEP_WITH_PIXELS = step({ observe: 'tree', screenshot: true })
/** A reset without an observation. */
export const RESET: RequestPlan = { path: '/api/session/reset', bodies: [JSON.stringify({ observe: 'none' })] }
