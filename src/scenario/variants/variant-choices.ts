/** The value of each chosen axis, by its name. */
export type VariantChoices = Readonly<Record<string, string>>

/** Choices as callers write them. */
export type WrittenChoices = Readonly<Record<string, string | number | boolean>>
