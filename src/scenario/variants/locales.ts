import { isInstalled } from '../../base/optional.ts'
import { type DateNames, ENGLISH_DATE_NAMES } from '../../desktop/model/desktop.ts'
import { fontsWith } from '../../desktop/model/unicode.ts'

/** How a language writes numbers and dates, and in which direction. Adding a language is one row. */
export interface LocaleRow {
  readonly decimal: string
  readonly group: string
  /** `d`, `m` and `y` stand for a day, a month and a year in digits. */
  readonly date: string
  /** `d` and `M` stand for a day and the name of a month. */
  readonly day: string
  readonly dateNames: DateNames
}

const { months: ENGLISH_MONTHS } = ENGLISH_DATE_NAMES

const words = (text: string): readonly string[] => text.split(' ')

const ARABIC_MONTHS = words('يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر')
const HEBREW_MONTHS = words('ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר')
const NUMBERED_MONTHS = Array.from({ length: 12 }, (_, index) => `${index + 1}月`)

/** The formats of languages. Others write numbers and dates as the file does. */
export const LOCALE_FORMATS: Readonly<Record<string, LocaleRow>> = {
  de: {
    decimal: ',',
    group: '.',
    date: 'd.m.y',
    day: 'd. M',
    dateNames: {
      months: words('Januar Februar März April Mai Juni Juli August September Oktober November Dezember'),
      shortMonths: words('Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.'),
      weekdays: words('Mo Di Mi Do Fr Sa So'),
      clockDate: 'd. M y',
      shortWeekdays: words('Mo. Di. Mi. Do. Fr. Sa. So.'),
      numericDate: 'd.m.y',
      clockDay: 'E d. M',
    },
  },
  fr: {
    decimal: ',',
    group: '\u202f',
    date: 'd/m/y',
    day: 'd M',
    dateNames: {
      months: words('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
      shortMonths: words('janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.'),
      weekdays: words('lu ma me je ve sa di'),
      clockDate: 'd M y',
      shortWeekdays: words('lun. mar. mer. jeu. ven. sam. dim.'),
      numericDate: 'd/m/y',
      clockDay: 'E d M',
    },
  },
  ar: {
    decimal: '.',
    group: ',',
    date: 'd/m/y',
    day: 'd M',
    dateNames: {
      months: ARABIC_MONTHS,
      shortMonths: ARABIC_MONTHS,
      weekdays: words('ن ث ر خ ج س ح'),
      clockDate: 'd M y',
      shortWeekdays: words('الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد'),
      numericDate: 'd/m/y',
      clockDay: 'E d M',
    },
  },
  he: {
    decimal: '.',
    group: ',',
    date: 'd.m.y',
    day: 'd בM',
    dateNames: {
      months: HEBREW_MONTHS,
      shortMonths: HEBREW_MONTHS,
      weekdays: words('ב ג ד ה ו ש א'),
      clockDate: 'd בM y',
      numericDate: 'd.m.y',
      clockDay: 'E d בM',
    },
  },
  ja: {
    decimal: '.',
    group: ',',
    date: 'y/m/d',
    day: 'Md日',
    dateNames: {
      months: NUMBERED_MONTHS,
      shortMonths: NUMBERED_MONTHS,
      weekdays: words('月 火 水 木 金 土 日'),
      clockDate: 'Md日',
      numericDate: 'y/m/d',
      clockDay: 'Md日 (E)',
    },
  },
  zh: {
    decimal: '.',
    group: ',',
    date: 'y/m/d',
    day: 'Md日',
    dateNames: {
      months: NUMBERED_MONTHS,
      shortMonths: NUMBERED_MONTHS,
      weekdays: words('一 二 三 四 五 六 日'),
      clockDate: 'Md日',
      numericDate: 'y/m/d',
      clockDay: 'Md日 (E)',
    },
  },
}

/** Languages that are written from right to left. */
export const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

/** The language of a locale such as `de-AT`. */
export const languageOf = (locale: string): string => locale.toLowerCase().split(/[-_]/)[0] ?? ''

const NUMBER = /(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d{1,3})?(?![\w]|[.,]\d)|(?<![\w.,])\d+\.\d{1,2}(?![\w]|[.,]\d)/g
const ISO_DATE = /(?<![\w-])(\d{4})-(\d\d)-(\d\d)(?![\w-])/g
const NAMED_DAY = new RegExp(`(?<!\\w)(\\d{1,2}) (${ENGLISH_MONTHS.join('|')})(?!\\w)`, 'g')

/** The text with its numbers and dates as a language writes them. */
export function formatFor({ decimal, group, date, day, dateNames: { months } }: LocaleRow, text: string): string {
  return text
    .replace(NUMBER, (number) => number.replace(/[.,]/g, (sign) => (sign === '.' ? decimal : group)))
    .replace(ISO_DATE, (_, y: string, m: string, d: string) =>
      date.replace(/[dmy]/g, (part) => ({ d, m, y })[part as 'd' | 'm' | 'y']),
    )
    .replace(NAMED_DAY, (_, d: string, month: string) =>
      day.replace(/[dM]/g, (part) => (part === 'd' ? d : months[ENGLISH_MONTHS.indexOf(month)]!)),
    )
}

/** How shown texts with live values are written in a language. Undefined: as they are. */
export function textFormatOf(language: string | undefined): ((text: string) => string) | undefined {
  const formats = language === undefined ? undefined : LOCALE_FORMATS[language]
  return formats && ((text) => formatFor(formats, text))
}

/** The same in a pattern, where a point may be written `\.`. */
export const formatPatternFor = (row: LocaleRow, source: string): string =>
  formatFor(row, source.replace(/(\d)\\\.(\d{1,2})(?![\d\\])/g, '$1.$2'))

/** The first letter that no installed font of pictures has. Those of Latin, Greek, Cyrillic, Arabic and Hebrew are built in. */
export function withoutGlyph(text: string): string | undefined {
  for (const [letter] of text.matchAll(OTHER_LETTER)) if (!fontsWith(letter).some(isInstalled)) return letter
  return undefined
}

const OTHER_LETTER =
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{L}|\p{Emoji_Presentation}/gu
