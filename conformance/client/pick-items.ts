/** Picks the items of a coverage list that concern clients; `ids` is separated by spaces. */
export function pickItems(items: Readonly<Record<string, string>>, ids: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    ids.split(' ').map((id) => {
      const title = items[id]
      if (title === undefined) throw new Error(`there is no item ${id}`)
      return [id, title]
    }),
  )
}
