/** A scenario of one window with `count` working check boxes in rows. */
export function formOf(count: number): string {
  const boxes = Array.from({ length: count }, (_, index) => {
    const at = `{x: ${20 + (index % 6) * 190}, y: ${40 + Math.floor(index / 6) * 34}, width: 180, height: 26}`
    return `            - {id: b${index}, role: CheckBox, name: Option ${index}, selected: false, bounds: ${at}}`
  })
  return `name: bench
states:
  only:
    windows:
      - uid: mock:bench
        title: Bench
        bounds: {x: 0, y: 0, width: 1200, height: 760}
        tree:
          role: Window
          name: Bench
          children:
${boxes.join('\n')}
`
}
