import * as z from 'zod'
import { Name, WrittenRect } from './common.ts'
import { WrittenElement } from './element.ts'

export const WrittenWindow = z.strictObject({
  uid: Name.describe('Its id in this file; the same window has the same uid in every state').optional(),
  title: z.string().describe('The text in its title bar').optional(),
  handle: Name.describe('The handle of the system; a number by default').optional(),
  process: z.string().describe('The program that owns it').optional(),
  pid: z.int().min(0).describe('The process id of that program').optional(),
  bounds: WrittenRect.describe('Screen pixels; 800 × 600 at 0,0 by default').optional(),
  frame: z.enum(['inside', 'outside', 'none']).describe('Where the title bar is painted').optional(),
  state: z.enum(['normal', 'minimized', 'maximized']).describe('How it is shown; normal by default').optional(),
  modal_to: Name.describe('The uid of the window that this one blocks').optional(),
  busy: z.boolean().describe('Takes no input').optional(),
  tree: WrittenElement.optional(),
})
export type WrittenWindow = z.infer<typeof WrittenWindow>

/** A window that effects open by its uid. */
export const NamedWindow = z.strictObject({ ...WrittenWindow.shape, uid: Name.describe('Its id in this file') })
export type NamedWindow = z.infer<typeof NamedWindow>
