// A small synthetic dialogue for measuring recall: two friends over half a year, in sessions, like
// chat logs. Many answers share no words with their question, and some are in the turn after the
// one that does.

export interface Turn {
  readonly id: string;
  readonly session: string;
  readonly date: string;
  readonly speaker: string;
  readonly text: string;
}

type Line = readonly [speaker: 'Mira' | 'Tobias', text: string];

const SESSIONS: readonly (readonly [date: string, lines: readonly Line[]])[] = [
  [
    '8 January 2025',
    [
      ['Mira', 'Happy new year! Did you survive the move to Lisbon?'],
      ['Tobias', 'Barely. The flat is on the fourth floor and the lift broke on the first day.'],
      ['Mira', 'Oh no. And your piano?'],
      ['Tobias', 'Sold it before I left, to my old neighbour Renate. I miss it already.'],
      ['Mira', 'You could rent one. My cousin Paulo repairs instruments near Alfama.'],
      ['Tobias', 'That would be wonderful, send me his number please.'],
      ['Mira', 'Will do. I started running again, by the way, three times a week.'],
      ['Tobias', 'With your knee? I thought the doctor forbade it.'],
      ['Mira', 'She allowed short distances since December. Five kilometres at most.'],
    ],
  ],
  [
    '2 February 2025',
    [
      ['Tobias', 'Paulo lent me an upright, a Yamaha from 1987. It is out of tune but I love it.'],
      ['Mira', 'He told me! He said you play Satie at midnight.'],
      ['Tobias', 'The neighbours have not complained yet. How is work?'],
      ['Mira', 'I handed in my notice at the bank on Friday.'],
      ['Tobias', 'What? After eleven years?'],
      [
        'Mira',
        'Yes. I want to open a bakery with Ines. We found a place in the old town of Freiburg.',
      ],
      ['Tobias', 'You do make the best rye bread I know.'],
      ['Mira', 'The loan is 60,000 euros, that keeps me awake a little.'],
      [
        'Tobias',
        'Understandable. My new job at the aquarium begins on the tenth, as a guide for schools.',
      ],
    ],
  ],
  [
    '16 March 2025',
    [
      ['Mira', 'We got the keys! The oven arrives on Tuesday, it weighs as much as a car.'],
      ['Tobias', 'Congratulations! What will you call it?'],
      ['Mira', 'Krume und Kaffee. Ines drew the sign, a fox holding a pretzel.'],
      ['Tobias', 'I want a photo. Guess what, I adopted a dog from the shelter, Biscoito.'],
      ['Mira', 'A dog! You were always afraid of them.'],
      ['Tobias', 'Since that bite when I was nine, yes. But he is tiny and has only three legs.'],
      ['Mira', 'Then you two will be brave together. Does he get along with the otters?'],
      [
        'Tobias',
        'He is not allowed near the tanks. My favourite there is an old turtle, Dona Rosa.',
      ],
    ],
  ],
  [
    '27 April 2025',
    [
      ['Tobias', 'How was the opening?'],
      ['Mira', 'Sold out by ten in the morning. I cried behind the counter.'],
      ['Tobias', 'I am so proud of you. Which bread went first?'],
      ['Mira', 'The walnut one, from grandmother Hedwig. She wrote the recipe on a train ticket.'],
      ['Tobias', 'That is lovely. I signed up for a Portuguese course, level B1.'],
      ['Mira', 'Good! Does the teacher let you sing fado?'],
      ['Tobias', 'Senhora Matos would faint. The exam is in July.'],
      ['Mira', 'My knee hurts again, too much standing. I sleep with ice on it.'],
      ['Tobias', 'See someone about it before it gets worse.'],
      ['Mira', 'I have an appointment on 6 May with Doctor Anders.'],
    ],
  ],
  [
    '11 May 2025',
    [
      ['Mira', 'Verdict: the meniscus is torn. Surgery on the third of June.'],
      ['Tobias', 'I am sorry. Who runs the shop meanwhile?'],
      ['Mira', 'Ines and her brother Jonas, he learned to shape rolls in a week.'],
      ['Tobias', 'I could fly over and help at the till, I have holidays then.'],
      ['Mira', 'Really? That would save us. You can have the sofa bed.'],
      ['Tobias', 'Booked. I arrive on the first, Biscoito stays with Paulo.'],
      ['Mira', 'You are the best. Do not tell mother about the operation, she worries.'],
      ['Tobias', 'My lips are sealed.'],
    ],
  ],
  [
    '22 June 2025',
    [
      ['Tobias', 'How are the crutches?'],
      ['Mira', 'Gone since Thursday. Physiotherapy twice a week now, with a swimming pool.'],
      ['Tobias', 'I still smell of yeast. Those two weeks were better than any beach.'],
      ['Mira', 'The regulars ask about the tall man who gave everyone the wrong change.'],
      ['Tobias', 'Only on the first day! Did the newspaper come by in the end?'],
      ['Mira', 'Yes, half a page in the Badische Zeitung, with the fox.'],
      ['Tobias', 'Frame it. I have news as well: they made me head of the school programme.'],
      ['Mira', 'Already? That is fantastic, more money too?'],
      ['Tobias', 'A little. Enough to buy the Yamaha from Paulo for 900 euros.'],
    ],
  ],
  [
    '19 July 2025',
    [
      ['Tobias', 'I passed! 84 points, Senhora Matos hugged me.'],
      ['Mira', 'Bravo! So you will stay in Portugal?'],
      ['Tobias', 'I think so. I met somebody, her name is Leonor, she restores azulejos.'],
      ['Mira', 'Tell me everything. How did you meet?'],
      ['Tobias', 'Biscoito stole her sandwich in the Jardim da Estrela.'],
      ['Mira', 'That dog knows what he is doing. I paid back the first 5,000 of the loan.'],
      ['Tobias', 'Ahead of plan! Shall we celebrate in September?'],
      ['Mira', 'We close for the last week of September. I will come to you by night train.'],
      ['Tobias', 'Not by plane?'],
      ['Mira', 'No, I gave up flying last year, you know that.'],
    ],
  ],
];

export const TURNS: readonly Turn[] = SESSIONS.flatMap(([date, lines], session) =>
  lines.map(([speaker, text], turn) => ({
    id: `${session + 1}:${turn + 1}`,
    session: `session-${session + 1}`,
    date,
    speaker,
    text,
  })),
);

export interface Question {
  readonly query: string;
  /** The turns that contain its answer. */
  readonly evidence: readonly string[];
  readonly category: keyof typeof QUESTIONS_BY_CATEGORY;
}

type QuestionList = readonly (readonly [query: string, evidence: readonly string[]])[];

/**
 * direct: the turn shares words with the question. context: it does not, and a turn beside it does.
 * time: asks for a time or names one. several: the answer is in more than one turn.
 */
const QUESTIONS_BY_CATEGORY = {
  direct: [
    ['Which city did Tobias move to?', ['1:1']],
    ['To whom did Tobias sell his piano?', ['1:4']],
    ['How far may Mira run?', ['1:9']],
    ['Which make is the piano that Paulo lent Tobias?', ['2:1']],
    ['With whom did Mira open the bakery?', ['2:6']],
    ['What is the new job of Tobias?', ['2:9']],
    ['What is the name of the pet of Tobias?', ['3:4']],
    ['Whose recipe is the walnut bread?', ['4:4']],
    ['Which language does Tobias learn?', ['4:5']],
    ['Who must not hear of the operation?', ['5:7']],
    ['What did the Yamaha cost?', ['6:9']],
    ['How many points did Tobias get in the exam?', ['7:1']],
    ['How much of the loan is paid back?', ['7:6']],
    ['Which bread does Mira make best?', ['2:7']],
    ['Where does the dog stay while Tobias is at the bakery?', ['5:6']],
  ],
  context: [
    ['What does Paulo do for a living?', ['1:5']],
    ['Which composer does Tobias play at night?', ['2:2']],
    ['Where did Mira work before the bakery?', ['2:4']],
    ['How long had Mira been with her employer?', ['2:5']],
    ['What is the name of the bakery?', ['3:3']],
    ['What is on the sign of the bakery?', ['3:3']],
    ['Why was Tobias afraid of dogs?', ['3:6']],
    ['How many legs does Biscoito have?', ['3:6']],
    ['Which animal at the aquarium does Tobias like best?', ['3:8']],
    ['Who looked after the shop during the surgery?', ['5:3']],
    ['Who took care of Biscoito while Tobias was away?', ['5:6']],
    ['Which newspaper wrote about the bakery?', ['6:6']],
    ['What was Tobias promoted to?', ['6:7']],
    ['What does Leonor do?', ['7:3']],
    ['How did Tobias and Leonor meet?', ['7:5']],
    ['How will Mira travel to Lisbon?', ['7:8']],
    ['Why does Mira not take a plane?', ['7:10']],
    ['Who gave customers the wrong change?', ['6:4']],
    ['How much did Mira borrow for her shop?', ['2:8']],
    ['Did the neighbours mind the music?', ['2:3']],
  ],
  time: [
    ['When was everything sold out at the opening?', ['4:2']],
    ['When did Mira see Doctor Anders?', ['4:10']],
    ['When was the operation of Mira?', ['5:1']],
    ['When does Tobias begin at the aquarium?', ['2:9']],
    ['When does Tobias arrive to help at the till?', ['5:6']],
    ['When is the exam of the Portuguese course?', ['4:7']],
    ['Since when may Mira run short distances?', ['1:9']],
    ['What did Mira get in March 2025?', ['3:1']],
    ['What did Mira tell in February about her work?', ['2:4']],
    ['When does the bakery close for a week?', ['7:8']],
  ],
  several: [
    ['Who teaches Tobias Portuguese?', ['4:7', '7:1']],
    ['What is wrong with the knee of Mira?', ['5:1', '4:8', '1:9']],
    ['Which instruments did Tobias own or borrow?', ['1:4', '2:1', '6:9']],
    ['Who works in the bakery of Mira?', ['2:6', '5:3', '5:4']],
    ['What happened to the loan?', ['2:8', '7:6']],
    ['What do we know about Paulo?', ['1:5', '2:1', '5:6']],
    ['Which jobs does Tobias have at the aquarium?', ['2:9', '6:7']],
    ['What has Biscoito to do with other people?', ['5:6', '7:5']],
  ],
} as const satisfies Readonly<Record<string, QuestionList>>;

export const CATEGORIES = Object.keys(QUESTIONS_BY_CATEGORY) as readonly Question['category'][];

export const QUESTIONS: readonly Question[] = CATEGORIES.flatMap((category) =>
  QUESTIONS_BY_CATEGORY[category].map(([query, evidence]) => ({ query, evidence, category })),
);
