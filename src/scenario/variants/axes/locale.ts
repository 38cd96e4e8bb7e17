import { glyphAdvice } from '../../../desktop/model/scripts.ts'
import { shellTextIn } from '../../../desktop/model/shell-texts.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { type VariantAxis, type VariedScenario, warned, withWritten } from '../axis.ts'
import {
  formatFor,
  formatPatternFor,
  LOCALE_FORMATS,
  languageOf,
  RIGHT_TO_LEFT,
  textFormatOf,
  withoutGlyph,
} from '../texts/locales.ts'
import { pseudoLocale } from '../texts/pseudo.ts'
import { rewriteTexts, type TextRewrite } from '../texts/rewrite-texts.ts'
import { tableRewrite } from '../texts/table.ts'
import { hasLetters, isLabelOwner, textsOf } from '../texts/texts-of.ts'

/** Locales that every scenario has, made from its own texts. */
const DERIVED = ['pseudo', 'mirrored', 'pseudo-mirrored'] as const

/** Whether a locale is made from the texts of the scenario, and not a language. */
export const isDerivedLocale = (value: string): boolean => DERIVED.some((name) => name === value)

/** The language of the texts, and what comes with it: longer texts, other numbers and dates, mirrored windows. */
export const locale: VariantAxis = {
  name: 'locale',
  about:
    'The language of the texts: a table of `locales`, `pseudo` (half as long again), `mirrored` (right to left) or `pseudo-mirrored`.',
  values: `a locale such as de or fr, or ${DERIVED.join(', ')}`,
  problem: (value) =>
    isDerivedLocale(value) || /^[a-z]{2,3}([-_][A-Za-z0-9]{2,8})?$/.test(value)
      ? undefined
      : `expected ${locale.values}`,
  obstacle: (written, value) => {
    if (isDerivedLocale(value) || written.locales?.[value]) return undefined
    const names = Object.keys(written.locales ?? {})
    return names.length === 0
      ? `the scenario has no locales; every scenario has ${DERIVED.join(', ')}`
      : `locales has no ${value}; it has ${names.join(', ')}`
  },
  samples: (written) => [...DERIVED, ...Object.keys(written.locales ?? {})],
  apply: (subject, value) => {
    const { written } = subject
    const mirrored = value.endsWith('mirrored') || RIGHT_TO_LEFT.has(languageOf(value))
    const turned = mirrored ? { ...subject, isMirrored: true } : subject
    if (value === 'mirrored') return turned
    if (isDerivedLocale(value)) return withWritten(turned, rewriteTexts(written, pseudoLocale(written, subject.bound)))
    return translated(turned, value)
  },
}

function translated(subject: VariedScenario, name: string): VariedScenario {
  const { written } = subject
  const table = tableRewrite(written.locales![name]!)
  const language = languageOf(name)
  const formats = LOCALE_FORMATS[language]
  const ofShell = (text: string) => shellTextIn(language, text)
  const rewrite: TextRewrite = formats
    ? {
        ofShell,
        text: (text, owner) =>
          owner === 'value' ? table.text(text, owner) : formatFor(formats, table.text(text, owner)),
        pattern: (source, whole) => formatPatternFor(formats, table.pattern(source, whole)),
      }
    : { ...table, ofShell }
  const changed = rewriteTexts(written, rewrite)
  const { task } = written
  const next: WrittenScenario = task === undefined ? changed : { ...changed, task: table.text(task, undefined) }
  const retext = (text: string) => rewrite.text(subject.retext(text), undefined)
  const formatText = textFormatOf(language)
  const dateNames = formats?.dateNames
  return warned({ ...subject, written: next, retext, formatText, dateNames, language }, [
    ...missingTexts(written, name, table.has),
    ...missingGlyphs(next, name),
  ])
}

const SHOWN = 10

/** The labels that a locale does not translate. */
function missingTexts(written: WrittenScenario, name: string, has: (text: string) => boolean): readonly string[] {
  const labels = textsOf(written).flatMap(({ text, owner }) => (isLabelOwner(owner) && hasLetters(text) ? [text] : []))
  const missing = [...new Set([...labels, ...(written.task === undefined ? [] : [written.task])])].filter(
    (text) => !has(text),
  )
  if (missing.length === 0) return []
  const shown = missing.slice(0, SHOWN).map((text) => JSON.stringify(text))
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : ''
  return [`locale=${name}: no translation of ${shown.join(', ')}${more}`]
}

/** A warning for texts that the bundled fonts cannot show. */
function missingGlyphs(written: WrittenScenario, name: string): readonly string[] {
  for (const { text } of textsOf(written)) {
    const letter = withoutGlyph(text)
    if (letter === undefined) continue
    const found = `locale=${name}: no glyphs for ${JSON.stringify(letter)} (${glyphAdvice(letter)})`
    return [`${found}; pictures show boxes, the tree has the texts`]
  }
  return []
}
