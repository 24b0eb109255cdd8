// Facts about people in three languages: a statement for each topic, and a question that is worded apart
// from it: but for the name they share one word, usually in another form. Rows
// and details of the same place are translations of each other.

export type Language = 'en' | 'zh' | 'ja';

export interface Topic {
  /** `{who}` and `{what}` stand for the name and the detail. */
  readonly statement: string;
  readonly question: string;
  readonly details: readonly string[];
}

const words = (text: string): readonly string[] => text.split(', ');

function topics(table: string): readonly Topic[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [statement = '', question = '', details = ''] = line.split(' | ');
      return { statement, question, details: words(details) };
    });
}

export const NAMES: Readonly<Record<Language, readonly string[]>> = {
  en: words(
    'Alice, Brian, Clara, David, Elena, Frank, Grace, Henry, Irene, James, Karen, Louis, Maria, Nigel, Olivia, Peter, Quentin, Rosa, Simon, Tessa, Ursula, Victor, Wendy, Xavier, Yvonne, Zoe, Arthur, Bella, Conrad, Daisy, Edgar, Fiona, George, Helen, Ivan, Julia, Kevin, Laura, Martin, Nora',
  ),
  zh: words(
    '王芳, 李娜, 张伟, 刘洋, 陈静, 杨帆, 赵磊, 黄丽, 周杰, 吴敏, 徐强, 孙悦, 马超, 朱琳, 胡军, 郭婷, 林涛, 何雪, 高峰, 罗兰, 郑凯, 梁晨, 谢霞, 宋波, 唐颖, 许亮, 韩冰, 冯远, 邓超, 曹云, 彭飞, 曾文, 萧红, 田甜, 董洁, 潘越, 袁野, 蔡琴, 蒋欣, 余波',
  ),
  ja: words(
    '佐藤, 鈴木, 高橋, 田中, 伊藤, 渡辺, 山本, 中村, 小林, 加藤, 吉田, 山田, 佐々木, 山口, 松本, 井上, 木村, 斎藤, 清水, 山崎, 阿部, 池田, 橋本, 石川, 前田, 藤田, 後藤, 岡田, 長谷川, 村上, 近藤, 石井, 坂本, 遠藤, 青木, 藤井, 西村, 福田, 太田, 三浦',
  ),
};

export const TOPICS: Readonly<Record<Language, readonly Topic[]>> = {
  en: topics(`
{who} moved to {what} last spring | Where is {who} living since the move? | Berlin, Osaka, Toronto, Madrid
{who} started as a {what} a year ago | Which job is {who} starting? | nurse, baker, pilot, teacher
{who} adopted a {what} from the shelter | Which animal came with the adoption by {who}? | cat, rabbit, parrot, dog
{who} cannot eat {what} without feeling ill | Which food must {who} avoid eating? | peanuts, shrimp, milk, eggs
{who} has a birthday on the third of {what} | When do people celebrate the birthdays of {who}? | May, July, March, October
{who} practises the {what} every evening | Which instrument is {who} practising? | violin, piano, flute, drum
{who} takes lessons in {what} twice a week | Which language is taught in the lesson of {who}? | Spanish, Arabic, Korean, French
{who} goes {what} at the weekend | What sport fills the weekends of {who}? | climbing, swimming, skiing, rowing
{who} comes to work by {what} | How does {who} travel when working? | bicycle, ferry, subway, motorcycle
{who} always orders {what} without sugar | Which drink is {who} ordering? | green tea, coffee, cocoa, lemonade
{who} has just finished a novel about {what} | Who is the hero of the novels of {who}? | sailors, detectives, robots, farmers
{who} booked a flight to {what} for August | For which country did {who} make a booking? | Iceland, Peru, Egypt, Greece
{who} hurt a {what} and sees a doctor | What part of the body is hurting {who}? | knee, shoulder, wrist, ankle
The elder sister of {who} runs a {what} | What is the business of the sisters of {who}? | bookshop, hotel, garage, farm
{who} was raised close to the {what} | Where did the parents raise {who}? | harbour, desert, forest, mountains
{who} holds a degree in {what} | What is the subject of the degrees of {who}? | chemistry, law, history, physics
The phone of {who} fell into {what} | What happened to the phones of {who}? | a lake, the soup, a bucket, the toilet
{who} cooks {what} on Sundays | Which dish is {who} cooking? | curry, noodles, pancakes, dumplings
{who} can meet on {what} alone | On what day is a meeting with {who} possible? | Tuesday, Friday, Monday, Thursday
{who} wakes at {what} in the morning | At what hour is {who} waking? | five, six, seven, eight
{who} grows {what} on the balcony | Which plants are growing in the flat of {who}? | tomatoes, roses, basil, strawberries
{who} saw a {what} at the cinema | What kind of film do cinemas show {who}? | comedy, western, musical, thriller
{who} is getting married in {what} | When will {who} marry? | June, September, April, December
{who} chairs the {what} club | In which clubs is {who} active? | chess, dance, photography, hiking
{who} sits by the {what} on the third floor | Next to what is {who} sitting? | window, elevator, printer, kitchen`),
  zh: topics(`
{who}去年春天搬到了{what} | {who}搬家以后住哪里？ | 柏林, 大阪, 多伦多, 马德里
{who}一年前开始当{what} | {who}开始做什么工作了？ | 护士, 面包师, 飞行员, 老师
{who}从收容所领养了一只{what} | {who}领养的是什么动物？ | 猫, 兔子, 鹦鹉, 狗
{who}一吃{what}就不舒服 | {who}不能吃什么？ | 花生, 虾, 牛奶, 鸡蛋
{who}的生日是{what}三号 | 什么时候给{who}过生日？ | 五月, 七月, 三月, 十月
{who}每天晚上都练{what} | {who}在练习哪种乐器？ | 小提琴, 钢琴, 长笛, 鼓
{who}每周上两次{what}课 | {who}上的是哪门语言的课？ | 西班牙语, 阿拉伯语, 韩语, 法语
{who}周末常去{what} | {who}周末做什么运动？ | 攀岩, 游泳, 滑雪, 划船
{who}{what}来上班 | {who}怎么上班？ | 骑自行车, 坐渡轮, 坐地铁, 骑摩托车
{who}总是点不加糖的{what} | {who}点的饮料是什么？ | 绿茶, 咖啡, 可可, 柠檬水
{who}刚看完一本讲{what}的小说 | {who}的小说是关于谁的？ | 水手, 侦探, 机器人, 农民
{who}订了八月飞{what}的机票 | {who}订了哪个国家的票？ | 冰岛, 秘鲁, 埃及, 希腊
{who}伤了{what}正在看医生 | {who}受伤的是哪里？ | 膝盖, 肩膀, 手腕, 脚踝
{who}的姐姐开了一家{what} | {who}的姐姐做什么生意？ | 书店, 酒店, 修车厂, 农场
{who}是在{what}边长大的 | {who}小时候在哪里长大？ | 港口, 沙漠, 森林, 高山
{who}拿到了{what}学位 | {who}的学位是什么专业？ | 化学, 法律, 历史, 物理
{who}的手机掉进了{what} | {who}的手机出了什么事？ | 湖里, 汤里, 水桶里, 马桶里
{who}星期天做{what} | {who}休息日做哪道菜？ | 咖喱, 面条, 煎饼, 饺子
{who}只有{what}能见面 | 哪一天可以和{who}见面？ | 星期二, 星期五, 星期一, 星期四
{who}早上{what}起床 | {who}几点钟起床？ | 五点, 六点, 七点, 八点
{who}在阳台上种{what} | {who}家种着哪些植物？ | 番茄, 玫瑰, 罗勒, 草莓
{who}在电影院看了一部{what} | {who}看的电影是什么类型？ | 喜剧, 西部片, 歌舞片, 惊悚片
{who}将在{what}结婚 | {who}哪个月结婚？ | 六月, 九月, 四月, 十二月
{who}是{what}俱乐部的主席 | {who}在哪个俱乐部？ | 象棋, 舞蹈, 摄影, 徒步
{who}坐在三楼的{what}旁边 | {who}坐的位置在哪里？ | 窗户, 电梯, 打印机, 厨房`),
  ja: topics(`
{who}さんは去年の春に{what}へ引っ越した | {who}さんの引っ越し先はどこですか？ | ベルリン, 大阪, トロント, マドリード
{who}さんは一年前に{what}として働き始めた | {who}さんはどんな職で働いていますか？ | 看護師, パン職人, パイロット, 先生
{who}さんは保護施設から{what}を引き取った | {who}さんが引き取ったのは何の動物ですか？ | 猫, うさぎ, オウム, 犬
{who}さんは{what}を食べると具合が悪くなる | {who}さんが食べられない物は何ですか？ | ピーナッツ, 海老, 牛乳, 卵
{who}さんの誕生日は{what}三日だ | {who}さんの誕生祝いはいつですか？ | 五月, 七月, 三月, 十月
{who}さんは毎晩{what}を練習している | {who}さんが練習する楽器は何ですか？ | バイオリン, ピアノ, フルート, 太鼓
{who}さんは週に二回{what}のレッスンを受けている | {who}さんのレッスンはどの言語ですか？ | スペイン語, アラビア語, 韓国語, フランス語
{who}さんは週末に{what}に行く | {who}さんの週末の運動は何ですか？ | 登山, 水泳, スキー, ボート
{who}さんは{what}で出勤する | {who}さんの出勤の手段は何ですか？ | 自転車, フェリー, 地下鉄, オートバイ
{who}さんはいつも砂糖なしの{what}を頼む | {who}さんが頼んだ飲み物は何ですか？ | 緑茶, コーヒー, ココア, レモネード
{who}さんは{what}の小説をちょうど読み終えた | {who}さんの小説の主人公は誰ですか？ | 船乗り, 探偵, ロボット, 農夫
{who}さんは八月の{what}行きの飛行機を予約した | {who}さんはどの国を予約していますか？ | アイスランド, ペルー, エジプト, ギリシャ
{who}さんは{what}を痛めて医者に通っている | {who}さんの痛む所はどこですか？ | 膝, 肩, 手首, 足首
{who}さんのお姉さんは{what}を経営している | {who}さんの姉の商売は何ですか？ | 本屋, ホテル, 修理工場, 農場
{who}さんは{what}の近くで育った | {who}さんの育ちはどこですか？ | 港, 砂漠, 森, 山
{who}さんは{what}の学位を持っている | {who}さんの学位の専攻は何ですか？ | 化学, 法律, 歴史, 物理
{who}さんの携帯は{what}に落ちた | {who}さんの携帯電話はどうなりましたか？ | 湖, スープ, バケツ, トイレ
{who}さんは日曜日に{what}を作る | {who}さんが作った料理は何ですか？ | カレー, うどん, パンケーキ, 餃子
{who}さんは{what}しか会えない | {who}さんと会う日はいつですか？ | 火曜日, 金曜日, 月曜日, 木曜日
{who}さんは朝{what}に起きる | {who}さんの起床は何時ですか？ | 五時, 六時, 七時, 八時
{who}さんはベランダで{what}を育てている | {who}さんが育てた植物は何ですか？ | トマト, バラ, バジル, いちご
{who}さんは映画館で{what}を見た | {who}さんの見る映画の種類は何ですか？ | 喜劇, 西部劇, ミュージカル, スリラー
{who}さんは{what}に結婚する | {who}さんの結婚式はいつですか？ | 六月, 九月, 四月, 十二月
{who}さんは{what}クラブの会長だ | {who}さんはどのクラブにいますか？ | 将棋, ダンス, 写真, 登山
{who}さんは三階の{what}のそばに座っている | {who}さんの座る場所はどこですか？ | 窓, エレベーター, プリンター, 台所`),
};
