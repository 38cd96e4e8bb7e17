import * as z from 'zod'
import { Name, WrittenRect } from './common.ts'
import { WrittenElement } from './element.ts'

export const WrittenWindow = z.strictObject({
  uid: Name.describe(
    'Its id in this file; the same window has the same uid in every state. mock: and the state by default',
  ).optional(),
  title: z.string().describe('The text in its title bar; empty by default').optional(),
  handle: Name.describe('The handle of the system; a number by default').optional(),
  process: z.string().describe('The program that owns it; scenario.exe by default').optional(),
  pid: z.int().min(0).describe('The process id of that program; a number by default').optional(),
  bounds: WrittenRect.describe('Its place in pixels of the screen; 800 × 600 at 0,0 by default').optional(),
  frame: z
    .enum(['inside', 'outside', 'none'])
    .describe(
      'Where the title bar is: inside the top of the bounds, outside above them, or none. By default it depends on the free space',
    )
    .optional(),
  state: z
    .enum(['normal', 'minimized', 'maximized'])
    .describe(
      'How it is shown; normal by default. A maximized window fills its monitor, and returns to its bounds when it is restored',
    )
    .optional(),
  modal_to: Name.describe('The uid of the window that this one blocks while it is open').optional(),
  busy: z.boolean().describe('Whether it accepts no input, and can only be minimized and restored').optional(),
  tree: WrittenElement.describe('Its root element; an empty element by default').optional(),
})
export type WrittenWindow = z.infer<typeof WrittenWindow>

/** A window that effects open by its uid. */
export const NamedWindow = z.strictObject({ ...WrittenWindow.shape, uid: Name.describe('Its id in this file') })
export type NamedWindow = z.infer<typeof NamedWindow>
