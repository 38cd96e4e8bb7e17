import * as z from 'zod'
import { Script } from '../../agent/script/script.ts'
import { CatalogueFault } from '../../scenario/faults/catalogue.ts'
import { WrittenRect } from '../../scenario/schema/common.ts'
import * as change from '../../scenario/schema/effect.ts'
import * as effect from '../../scenario/schema/effect.ts'
import { NamedWindow, TableColumn, WrittenWindow } from '../../scenario/schema/element.ts'
import { Guard } from '../../scenario/schema/guard.ts'
import { Reaction, Timer, Trigger } from '../../scenario/schema/reaction.ts'
import { PlannedFault, WrittenState } from '../../scenario/schema/scenario.ts'
import { SolutionStep } from '../../scenario/schema/solution.ts'

/** The parts of scenario files that are definitions of their own in the schema for editors, with their names there. */
const NAMES = new Map<z.core.$ZodType, string>([
  [WrittenState, 'State'],
  [WrittenWindow, 'Window'],
  [NamedWindow, 'NamedWindow'],
  [WrittenRect, 'Rectangle'],
  [TableColumn, 'TableColumn'],
  [Reaction, 'Reaction'],
  [Timer, 'Timer'],
  [Trigger, 'Trigger'],
  [Guard, 'Guard'],
  [change.ElementChange, 'ElementChange'],
  [change.FileChange, 'FileChange'],
  [change.ClipboardChange, 'ClipboardChange'],
  [change.VariableChange, 'VariableChange'],
  [effect.OpenEffect, 'OpenEffect'],
  [effect.CloseEffect, 'CloseEffect'],
  [effect.FocusEffect, 'FocusEffect'],
  [effect.MoveEffect, 'MoveEffect'],
  [effect.ToastEffect, 'ToastEffect'],
  [effect.LogEffect, 'LogEffect'],
  [effect.EmitEffect, 'EmitEffect'],
  [effect.MenuEffect, 'MenuEffect'],
  [effect.ScheduleEffect, 'ScheduleEffect'],
  [PlannedFault, 'PlannedFault'],
  [CatalogueFault, 'CatalogueFault'],
  [Script, 'Script'],
  ...alternatives(SolutionStep, ['SolutionCall', 'SolutionLoop', 'SolutionBranch']),
])

function alternatives(union: z.ZodType, names: readonly string[]): readonly (readonly [z.core.$ZodType, string])[] {
  if (!(union instanceof z.ZodUnion)) throw new Error(`${names.join(', ')} are not the alternatives of a union`)
  return names.map((name, index) => [union.options[index]!, name])
}

/** The descriptions and examples of the parts of a scenario, with these names. */
export const partNames = {
  get(schema: z.core.$ZodType) {
    const about = z.globalRegistry.get(schema)
    const id = NAMES.get(schema)
    return id === undefined ? about : { ...about, id }
  },
} as typeof z.globalRegistry
