import type { ClipboardChange, ElementChange, FileChange, ScenarioEffect } from '../../schema/effect.ts'
import type { ScenarioRun } from '../scenario-run.ts'
import { applyClipboardChange } from './clipboard.ts'
import type { ApplyEffect, EffectContext } from './context.ts'
import { applyElementChange } from './element.ts'
import { applyFileChange } from './file.ts'
import { applyWindowChange } from './window.ts'

/** The kinds of effects by the key that decides. */
interface EffectKinds {
  readonly path: FileChange
  readonly clipboard: ClipboardChange
  readonly id: ElementChange
  readonly window: ElementChange
}

/** How each kind is applied. The first key that an effect has decides. */
const EFFECTS: { readonly [Key in keyof EffectKinds]: ApplyEffect<EffectKinds[Key]> } = {
  path: applyFileChange,
  clipboard: applyClipboardChange,
  id: applyElementChange,
  window: applyWindowChange,
}

const KEYS = Object.keys(EFFECTS) as readonly (keyof EffectKinds)[]

/** Applies the entries of a `set` in order. Entries that name missing elements or windows are skipped. */
export const applyEffects = (
  run: ScenarioRun,
  effects: readonly ScenarioEffect[],
  context: EffectContext,
): ScenarioRun => effects.reduce((current, effect) => applyEffect(current, effect, context), run)

function applyEffect(run: ScenarioRun, effect: ScenarioEffect, context: EffectContext): ScenarioRun {
  const key = KEYS.find((each) => each in effect)
  return key === undefined ? run : (EFFECTS[key] as ApplyEffect<ScenarioEffect>)(run, effect, context)
}
