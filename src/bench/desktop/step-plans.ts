import type { RequestPlan } from '../harness/load-client.ts'

/** How many check boxes the form has whose steps are measured over REST. */
export const BOXES = 40

/** How many desktops are stepped in turn in one process. */
export const DESKTOPS = 1000

/** How many clients step at a time. */
export const CLIENTS = 32

const step = (shown: Readonly<Record<string, unknown>>): RequestPlan => ({
  path: '/api/session/step',
  bodies: Array.from({ length: BOXES }, (_, box) =>
    JSON.stringify({ action: { tool: 'click_element', args: { element_id: `b${box}` } }, ...shown }),
  ),
})

/** A click on the next check box, answered with what changed. */
export const STEP = step({ observe: 'diff' })
/** The same, answered with the whole tree. */
export const STEP_WITH_TREE = step({ observe: 'tree' })
/** The same, answered with the whole tree and a picture that was never made before. */
export const STEP_WITH_PIXELS = step({ observe: 'tree', screenshot: true })
/** The beginning again, with nothing shown. */
export const RESET: RequestPlan = { path: '/api/session/reset', bodies: [JSON.stringify({ observe: 'none' })] }
