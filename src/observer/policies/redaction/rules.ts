import { compilePattern, type Pattern, UNLIMITED_MATCHING } from '../../../base/pattern.ts'
import type { Element } from '../../../desktop/model/element.ts'
import type { Settings } from '../../settings.ts'

/** What the operator's patterns hide (observer document, "Redaction"). */
export interface RedactionRules {
  /** Whether redaction is enabled and has patterns. */
  readonly active: boolean
  /** Whether elements or windows are hidden, so that files and the clipboard may hold text that was copied from one. */
  readonly hidesElements: boolean
  /** Whether titles of windows are hidden. */
  readonly hidesTitles: boolean
  /** Returns the replacement of a hidden text. */
  readonly replace: (text: string) => string
  /** Replaces what the text patterns match. */
  readonly scrub: (text: string) => string
  readonly isHiddenName: (text: string) => boolean
  readonly isHiddenElement: (element: Element) => boolean
  readonly isHiddenTitle: (title: string) => boolean
  readonly status: () => Readonly<Record<string, unknown>>
}

/** Compiles the operator's patterns. Throws `BadRequest` for a pattern that cannot be used. */
export function redactionRules(settings: Settings['redaction']): RedactionRules {
  const titles = settings.window_title_patterns.map(compilePattern)
  const names = settings.element_name_patterns.map(compilePattern)
  const roles = settings.element_role_patterns.map(compilePattern)
  const texts = settings.ocr_text_patterns.map(compilePattern)
  const count = titles.length + names.length + roles.length + texts.length
  const active = settings.enabled && count > 0
  let applied = 0
  const isHiddenAs = (shown: Pick<Element, 'name' | 'role'> | undefined): boolean =>
    shown !== undefined && (matchesAny(names, shown.name) || matchesAny(roles, shown.role))
  return {
    active,
    hidesElements: active && count > texts.length,
    hidesTitles: titles.length > 0,
    replace: (text) => {
      if (text === '' || text === settings.replacement) return text
      applied++
      return settings.replacement
    },
    scrub: (text) => {
      if (!active || !matchesAny(texts, text)) return text
      applied++
      return texts.reduce((rest, pattern) => pattern.replace(rest, settings.replacement), text)
    },
    isHiddenName: (text) => matchesAny(names, text),
    isHiddenElement: ({ name, role, traits }) => {
      if (!active) return false
      const { authored: written, writtenRow } = traits ?? {}
      return isHiddenAs({ name, role }) || isHiddenAs(written) || isHiddenAs(writtenRow)
    },
    isHiddenTitle: (title) => active && matchesAny(titles, title),
    status: () => ({
      enabled: settings.enabled && count > 0,
      active,
      secrets: true,
      ...(count > 0 && {
        patterns_count: count,
        applied_count: applied,
        blur_screenshots: settings.blur_screenshots,
      }),
    }),
  }
}

const matchesAny = (patterns: readonly Pattern[], text: string): boolean =>
  patterns.some((pattern) => pattern.search(text, UNLIMITED_MATCHING))
