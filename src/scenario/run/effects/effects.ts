import type { ClipboardChange, ElementChange, FileChange } from '../../schema/change.ts'
import type {
  CloseEffect,
  EmitEffect,
  FocusEffect,
  LogEffect,
  MenuEffect,
  MoveEffect,
  OpenEffect,
  ScenarioEffect,
  ScheduleEffect,
  ToastEffect,
} from '../../schema/effect.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { applyClipboardChange } from './clipboard.ts'
import { applyClose } from './close.ts'
import type { ApplyEffect, EffectContext } from './context.ts'
import { applyElementChange } from './element.ts'
import { applyEmit } from './emit.ts'
import { applyFileChange } from './file.ts'
import { applyFocus } from './focus.ts'
import { applyLog } from './log.ts'
import { applyMenu } from './menu.ts'
import { applyMove } from './move.ts'
import { applyOpen } from './open.ts'
import { applySchedule } from './schedule.ts'
import { applyToast } from './toast.ts'
import { applyWindowChange } from './window.ts'

/** The kinds of effects by the key that decides. */
interface EffectKinds {
  readonly path: FileChange
  readonly clipboard: ClipboardChange
  readonly menu: MenuEffect
  readonly id: ElementChange
  readonly window: ElementChange
  readonly open: OpenEffect
  readonly close: CloseEffect
  readonly focus: FocusEffect
  readonly move: MoveEffect
  readonly toast: ToastEffect
  readonly log: LogEffect
  readonly emit: EmitEffect
  readonly schedule: ScheduleEffect
}

/** How each kind is applied. The first key that an effect has decides. */
const EFFECTS: { readonly [Key in keyof EffectKinds]: ApplyEffect<EffectKinds[Key]> } = {
  path: applyFileChange,
  clipboard: applyClipboardChange,
  menu: applyMenu,
  id: applyElementChange,
  window: applyWindowChange,
  open: applyOpen,
  close: applyClose,
  focus: applyFocus,
  move: applyMove,
  toast: applyToast,
  log: applyLog,
  emit: applyEmit,
  schedule: applySchedule,
}

const KEYS = Object.keys(EFFECTS) as readonly (keyof EffectKinds)[]

/** Applies the entries of a `set` in order. Entries that cannot be applied are skipped. */
export const applyEffects = (
  run: ScenarioRun,
  effects: readonly ScenarioEffect[],
  context: EffectContext,
): ScenarioRun => effects.reduce((current, effect) => applyEffect(current, effect, context), run)

function applyEffect(run: ScenarioRun, effect: ScenarioEffect, context: EffectContext): ScenarioRun {
  const key = KEYS.find((each) => each in effect)
  return key === undefined ? run : (EFFECTS[key] as ApplyEffect<ScenarioEffect>)(run, effect, context)
}
