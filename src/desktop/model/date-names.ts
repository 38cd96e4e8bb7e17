/** The names of months and weekdays in a language, as calendars and the clock of the panel show them. */
export interface DateNames {
  /** January to December. */
  readonly months: readonly string[]
  readonly shortMonths: readonly string[]
  /** Monday to Sunday, in two letters. */
  readonly weekdays: readonly string[]
  /** The date on the clock: `d`, `M` and `y` stand for the day, the short month and the year. */
  readonly clockDate: string
  /** The weekdays on the clock of a shell; `weekdays` by default. */
  readonly shortWeekdays?: readonly string[]
  /** The date on the clock of a shell in numbers: `d`, `m` and `y`. `m/d/y` by default. */
  readonly numericDate?: string
  /** The day on the clock of a shell: `E` stands for the weekday, `M` for the short month. `E M d` by default. */
  readonly clockDay?: string
}

const words = (text: string): readonly string[] => text.split(' ')

export const ENGLISH_DATE_NAMES: DateNames = {
  months: words('January February March April May June July August September October November December'),
  shortMonths: words('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'),
  weekdays: words('Mo Tu We Th Fr Sa Su'),
  clockDate: 'd M y',
  shortWeekdays: words('Mon Tue Wed Thu Fri Sat Sun'),
}
