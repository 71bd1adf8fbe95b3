import { definePage, Facts, Table } from 'pantry/page'
import { GuideSchema } from '../../../prices/schemas.ts'

export default definePage({
  shows: { guide: GuideSchema },
  view: ({ shown: { guide } }) => ({
    title: guide.display_name,
    main: (
      <>
        <p>{guide.hero_paragraph}</p>
        <Facts of={{ Publisher: guide.publisher, Sets: guide.total_set_count, Printings: guide.total_card_count }} />
        <h2>Sets</h2>
        <Table caption={`Sets of ${guide.display_name} that are held here`} rows={guide.sets} columns={[
          { head: 'Set', cell: set => <a href={`/prices/${guide.slug}/${set.code}`}>{set.name}</a> },
          { head: 'Code', cell: set => set.printed_code },
          { head: 'Printings', cell: set => set.card_count, isNumber: true },
          { head: 'Released', cell: set => set.release_date ?? 'not given' }
        ]} />
      </>
    )
  })
})
