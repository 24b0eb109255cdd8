// The sample data: notes of the harbour office of an invented town, which refer to each other, and
// what an assistant there remembers. Written for this project and free for any use.

export interface Note {
  readonly id: string;
  readonly title: string;
  readonly kind: 'log' | 'plan' | 'letter' | 'report' | 'person';
  readonly place: string;
  readonly date: string;
  readonly pages: number;
  readonly body: string;
}

type NoteRow = readonly [
  id: string,
  title: string,
  kind: Note['kind'],
  place: string,
  date: string,
  pages: number,
  body: string,
];

const ROWS: readonly NoteRow[] = [
  [
    'plan-2024',
    'Harbour Plan 2024',
    'plan',
    'harbour',
    '2024-02-12',
    14,
    'The north mole is raised by forty centimetres and the ferry berth moves to the east quay. The depths come from the [[Old Survey]], which is out of date in the fairway. Supersedes [[Harbour Plan 2016]].',
  ],
  [
    'plan-2016',
    'Harbour Plan 2016',
    'plan',
    'harbour',
    '2016-05-03',
    9,
    'Two new cranes, a covered fish market and a slipway for dinghies. The ferry stays at the west quay. Based on the [[Old Survey]].',
  ],
  [
    'survey-1998',
    'Old Survey',
    'report',
    'fairway',
    '1998-03-01',
    22,
    'Soundings of the harbour basin and the fairway at low water springs. The shallowest place of the fairway has 4.1 metres, the ferry berth 3.6 metres. Measured by lead line from a rowing boat.',
  ],
  [
    'survey-2024',
    'Echo Sounding',
    'report',
    'fairway',
    '2024-06-20',
    31,
    'The fairway was sounded again by sonar. Sand has filled the outer bend: 3.2 metres remain at low water. Contradicts the [[Old Survey]] in eleven places. Dredging is recommended before winter.',
  ],
  [
    'dredging',
    'Dredging Contract',
    'letter',
    'fairway',
    '2024-08-02',
    3,
    'We offer to dredge the outer bend to 4.5 metres within three weeks, sand to be pumped onto the town beach. Depends on the [[Echo Sounding]] and on calm weather in September.',
  ],
  [
    'ferry-log-1',
    'Ferry Log, June',
    'log',
    'ferry',
    '2024-06-30',
    5,
    'The ferry Annabel touched ground twice at low tide in the outer bend. No damage. Captain [[Ines Calder]] asks for a later timetable at springs.',
  ],
  [
    'ferry-log-2',
    'Ferry Log, September',
    'log',
    'ferry',
    '2024-09-30',
    5,
    'No groundings since the dredger finished. Passengers praise the new berth, complaints concern the missing shelter from rain. See the [[Shelter Petition]].',
  ],
  [
    'petition',
    'Shelter Petition',
    'letter',
    'ferry',
    '2024-10-04',
    1,
    'Two hundred and twelve of us wait for the boat in wind and rain every morning. We ask the harbour office for a roof, a bench and a lamp at the east quay.',
  ],
  [
    'shelter',
    'Shelter Estimate',
    'plan',
    'ferry',
    '2024-11-15',
    2,
    'A shelter of larch and glass for thirty people, with a lamp, fixes the [[Shelter Petition]]. It costs 18,400 and can stand before Easter.',
  ],
  [
    'lighthouse-log',
    'Lighthouse Log',
    'log',
    'lighthouse',
    '2023-12-31',
    40,
    'The lamp failed on three nights of December. The spare burned well each time. The lens needs cleaning, the rail of the gallery is loose on the sea side.',
  ],
  [
    'lighthouse-lamp',
    'New Lamp for the Lighthouse',
    'letter',
    'lighthouse',
    '2024-01-22',
    2,
    'A light of diodes uses a tenth of the current and lasts eleven years. It answers the failures in the [[Lighthouse Log]]. The old lens can stay in its place.',
  ],
  [
    'fog',
    'Report on Fog',
    'report',
    'lighthouse',
    '2022-11-09',
    7,
    'Thirty-one days of fog in the year, most of them in March. The horn is heard for two miles against the wind and for five with it. Fishing boats without radar wait outside the mole.',
  ],
  [
    'storm',
    'The Storm of January',
    'report',
    'harbour',
    '2023-01-17',
    12,
    'The highest tide since the mole was built. Water stood in the fish market up to the scales, four boats sank at their moorings. The crest of the north mole is too low by forty centimetres.',
  ],
  [
    'insurance',
    'Letter of the Insurer',
    'letter',
    'harbour',
    '2023-03-08',
    2,
    'We pay for two of the four boats of [[The Storm of January]]. The other two were moored with ropes of the wrong size.',
  ],
  [
    'market',
    'Fish Market, a Year',
    'report',
    'market',
    '2023-12-30',
    6,
    'Mackerel and crab bring most of the money, herring is back after nine poor years. Ice ran out twice in August. A second ice machine pays for itself in two summers.',
  ],
  [
    'ice',
    'Ice Machine',
    'plan',
    'market',
    '2024-03-19',
    2,
    'A machine for two tonnes of flake ice a day stands behind the hall of the [[Fish Market, a Year]]. It is cooled by sea water.',
  ],
  [
    'crab',
    'Rules for Crab',
    'letter',
    'market',
    '2024-04-02',
    1,
    'From May on, no crab below fourteen centimetres may be landed, and none with eggs. Pots need an opening through which small ones escape.',
  ],
  [
    'seals',
    'Seals at the Slipway',
    'log',
    'harbour',
    '2024-07-11',
    1,
    'A mother and her pup rest on the slipway for dinghies. The sailing school launches from the beach until they leave. Visitors are asked to keep their dogs on a lead.',
  ],
  [
    'school',
    'Sailing School',
    'letter',
    'harbour',
    '2024-07-15',
    2,
    'Forty children learn to sail this summer. Because of the [[Seals at the Slipway]] we carry the boats over the sand, which only the teachers mind.',
  ],
  [
    'library',
    'Books for the Seamen',
    'letter',
    'town',
    '2021-09-14',
    1,
    'The reading room lends novels to crews, to be returned to any harbour on the coast. Last year three came back from Norway.',
  ],
  [
    'calder',
    'Ines Calder',
    'person',
    'ferry',
    '2019-04-01',
    1,
    'Captain of the ferry Annabel since 2019, before that mate on a cable ship. Speaks English, Portuguese and some Norwegian. Reads the tide tables for pleasure.',
  ],
  [
    'okafor',
    'Tom Okafor',
    'person',
    'lighthouse',
    '2012-10-01',
    1,
    'Keeper of the lighthouse and of the fog horn. Writes the [[Lighthouse Log]] by hand and repairs clocks in winter.',
  ],
  [
    'mara',
    'Mara Lindqvist',
    'person',
    'harbour',
    '2020-01-02',
    1,
    'Harbour master. Wrote the [[Harbour Plan 2024]] after [[The Storm of January]]. Her office is above the fish market and smells accordingly.',
  ],
  [
    'tides',
    'Tide Table',
    'report',
    'fairway',
    '2024-01-01',
    16,
    'High and low water for every day of the year, computed from nineteen years of readings of the gauge at the west quay. Springs follow new and full moon by two days.',
  ],
  [
    'gauge',
    'The Gauge at the West Quay',
    'log',
    'fairway',
    '2023-08-21',
    2,
    'Barnacles held the float for a week in August. The readings of that week are left out of the [[Tide Table]].',
  ],
  [
    'beach',
    'Sand for the Town Beach',
    'plan',
    'town',
    '2024-08-20',
    3,
    'The beach has lost a third of its width. Sand of the [[Dredging Contract]] is pumped onto it, enough for five winters.',
  ],
];

export const NOTES: readonly Note[] = ROWS.map(([id, title, kind, place, date, pages, body]) => ({
  id,
  title,
  kind,
  place,
  date,
  pages,
  body,
}));

export const NOTE_MAPPING = {
  properties: {
    title: { type: 'text', analyzer: 'english', fields: { raw: { type: 'keyword' } } },
    kind: { type: 'keyword' },
    place: { type: 'keyword' },
    date: { type: 'date' },
    pages: { type: 'integer' },
    body: { type: 'semantic_text', analyzer: 'english' },
  },
};

/** Bodies of POST /_memory/{namespace}, stored in this order. */
export const MEMORIES: readonly object[] = [
  memory('berth-west', 'The ferry Annabel berths at the west quay.', '2019-04-01', 'moves', 'Ines'),
  memory(
    'captain',
    'Ines Calder is the captain of the ferry Annabel.',
    '2019-04-01',
    'people',
    'Mara',
  ),
  memory(
    'keeper',
    'Tom Okafor keeps the lighthouse and winds its clock on Sundays.',
    '2012-10-01',
    'people',
    'Mara',
  ),
  memory(
    'mole',
    'The north mole is too low by forty centimetres since the storm of January 2023.',
    '2023-01-17',
    'storm',
    'Mara',
  ),
  memory(
    'insurer',
    'The insurer paid for two of the four boats that sank.',
    '2023-03-08',
    'storm',
    'Mara',
  ),
  memory(
    'tea',
    'Mara drinks her tea without milk and her coffee with it.',
    '2023-05-02',
    'habits',
    'Mara',
  ),
  memory(
    'meeting',
    'The harbour committee meets on the first Tuesday of each month.',
    '2023-06-06',
    'habits',
    'Mara',
  ),
  memory(
    'depth-old',
    'The fairway is 4.1 metres deep at its shallowest place.',
    '1998-03-01',
    'depths',
    'Mara',
  ),
  memory(
    'depth-sonar',
    'The fairway is 3.2 metres deep at its shallowest place, in the outer bend.',
    '2024-06-20',
    'depths',
    'Mara',
    ['depth-old'],
  ),
  memory(
    'depth-dredged',
    'The fairway is 4.5 metres deep since it was dredged.',
    '2024-09-21',
    'depths',
    'Ines',
    ['depth-sonar'],
  ),
  memory(
    'berth-east',
    'The ferry Annabel berths at the east quay.',
    '2024-09-25',
    'moves',
    'Ines',
    ['berth-west'],
  ),
  memory(
    'shelter',
    'The shelter at the east quay is to stand before Easter.',
    '2024-11-15',
    'moves',
    'Mara',
  ),
  memory(
    'seals',
    'A seal and her pup live on the slipway in July; the sailing school makes room for them.',
    '2024-07-11',
    'animals',
    'Mara',
  ),
  memory(
    'ice',
    'The second ice machine is paid for in two summers.',
    '2024-03-19',
    'market',
    'Mara',
  ),
];

function memory(
  id: string,
  text: string,
  day: string,
  session: string,
  speaker: string,
  supersedes?: readonly string[],
): object {
  const metadata = { valid_at: `${day}T09:00:00Z`, session, speaker };
  return { id, text, metadata, ...(supersedes === undefined ? {} : { supersedes }) };
}

/** Bodies of POST /_graph/{namespace}/link. */
export const MEMORY_LINKS: readonly object[] = [
  link('depth-sonar', 'depth-dredged', 'because_of', '2024-09-21', 'dredged'),
  link('mole', 'insurer', 'leads_to', '2023-03-08'),
  link('captain', 'berth-east', 'concerns', '2024-09-25', 'Annabel'),
  link('berth-east', 'shelter', 'leads_to', '2024-11-15', 'east quay'),
];

function link(src: string, dst: string, type: string, day: string, quote?: string): object {
  const evidence = quote === undefined ? {} : { evidence: { quote, source: dst, field: 'text' } };
  return { src, dst, type, valid_at: `${day}T09:00:00Z`, ...evidence };
}
