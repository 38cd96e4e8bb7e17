import { Fault } from '../../../base/fault.ts'
import { misfitOfField, takesAnyText } from '../../data/field-values.ts'
import { resolveEffect } from '../../data/resolve-live.ts'
import type { ClipboardChange, ElementChange, FileChange, VariableChange } from '../../schema/change.ts'
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
import { liveContext } from '../live-context.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { textExcess } from '../text-excess.ts'
import { applyClipboardChange } from './clipboard.ts'
import { applyClose } from './close.ts'
import { type ApplyEffect, type EffectContext, skipEffect } from './context.ts'
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
import { applyVariableChange } from './variable.ts'
import { applyWindowChange } from './window.ts'

/** The kinds of effects by the key that decides. */
interface EffectKinds {
  readonly var: VariableChange
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

/** Nothing can have this type while an effect of the schema is missing in `EffectKinds`. */
type EveryKindHasAKey = ScenarioEffect extends EffectKinds[keyof EffectKinds] ? unknown : never

/** How each kind is applied. The first key that an effect has decides. */
const EFFECTS: { readonly [Key in keyof EffectKinds]: ApplyEffect<EffectKinds[Key]> } & EveryKindHasAKey = {
  var: applyVariableChange,
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
  if (key === undefined) return run
  const apply = EFFECTS[key] as ApplyEffect<ScenarioEffect>
  const next = run.scenario.program ? applyLive(run, effect, context, key, apply) : apply(run, effect, context)
  const excess = next.desktop === run.desktop ? undefined : textExcess(run.desktop, next.desktop)
  return excess === undefined ? next : skipEffect(run, key, excess)
}

/** Why a value that a template gave does not fit its key. */
function misfitOfResolved(effect: ScenarioEffect, resolved: ScenarioEffect): string | undefined {
  if (resolved === effect) return undefined
  const before: Readonly<Record<string, unknown>> = { ...effect }
  for (const [key, value] of Object.entries(resolved)) {
    const wrong = value === before[key] || takesAnyText(key) ? undefined : misfitOfField(key, value)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** Evaluates the live templates of an effect and applies it. If one has no value, the effect is skipped and logged. */
function applyLive(
  run: ScenarioRun,
  effect: ScenarioEffect,
  context: EffectContext,
  key: keyof EffectKinds,
  apply: ApplyEffect<ScenarioEffect>,
): ScenarioRun {
  const { program } = run.scenario
  if (!program || key === 'var') return apply(run, effect, context)
  const resolved = resolveEffect(program, effect, liveContext(run, context.event, context.near))
  if ('message' in resolved) return skipEffect(run, key, resolved.message)
  const wrong = misfitOfResolved(effect, resolved.value)
  if (wrong !== undefined) return skipEffect(run, key, wrong)
  try {
    return apply(run, resolved.value, context)
  } catch (error) {
    if (error instanceof Fault) return skipEffect(run, key, error.message)
    throw error
  }
}
