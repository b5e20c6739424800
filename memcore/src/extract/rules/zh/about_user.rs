//! What Chinese speakers say about themselves and their families.

use memcore_core::Kind::{Constraint, Emotion, Event, Fact, Preference, Profile};

use crate::extract::rules::pattern::{
    Check::{
        Attribute, FullName, Lasting, Name, Occupation, Organisation, Place, Planned, Recurring, Settled, Specific,
    },
    Pattern,
    SlotRule::{Code, Favourite, Mine, MyRole, NameOf, Stack, Taste, User, Way},
};

pub(super) const PATTERNS: &[Pattern] = &[
    // Names
    Pattern::new(r"^(?:大家|你|你们|朋友们?|同事们?|身边人|都|可以|就|也|请|平时|一般|直接|以后|他们)*(?:叫|喊|称呼)我(?:为|做)?(?P<v>[^，。]{1,10}?)(?:就行|就好|即可|就可以|吧|好了|就成)*了?$", Profile, 7).slot(User("preferred name")).check(Name),
    Pattern::new(r"^我(?:的)?(?:名字)?(?:名?叫)(?:做|作)?(?P<v>[^，。]{1,16})$", Profile, 8).slot(User("name")).check(Name),
    Pattern::new(r"^我的?(?:真名|全名|姓名|名字|大名)(?:是|叫|为)(?P<v>.+)$", Profile, 8).slot(User("name")).check(Name),
    Pattern::new(r"^我姓(?P<v>[\u{4e00}-\u{9fff}]{1,2})$", Profile, 6).slot(User("family name")).check(Name),
    Pattern::new(r"^我的?(?P<a>英文名|中文名|网名|笔名|花名|昵称|外号|小名)(?:字)?(?:是|叫)(?P<v>.+)$", Profile, 7).slot(Mine).check(Name),
    // Family and animals
    Pattern::new(r"^我(?:的|家的?|们家的?)?(?P<a>{RELATION})(?:的名字)?(?:叫|名叫|名字叫|名字是|取名叫?|是叫)(?:做)?(?P<v>[^，。]{1,20})$", Profile, 7).slot(NameOf).check(Name),
    Pattern::new(r"^我(?:家)?(?:有|养了?|养着)(?:好几|几|一|两|二|三|四|五|六|\d+)?(?:个|只|条|位|对|匹|群|头)(?P<v>[^，。]{0,12}{RELATION}[^，。]{0,12})$", Profile, 6).check(Settled),
    Pattern::new(r"^我(?:的|家的?)?(?P<a>{RELATION})(?P<v>[^，。]{0,12}(?:是|在|住在?|对.{1,10}过敏|喜欢|爱吃|不吃|不能|不喜欢|今年|明年|上(?:小学|初中|高中|大学|幼儿园)|\d+岁|.岁|生日|从事|当|怀孕|怀了|患|有.{1,6}(?:病|症|炎)|负责|开了?家|会说|养了?)[^，。]*)$", Fact, 6).check(Settled),
    Pattern::new(r"^我(?:和|跟)(?P<v>[^，。]{1,10})(?:结婚|订婚|在一起|同居)(?:了|\S{0,4}年了?)$", Profile, 6),
    // Health and diet
    Pattern::new(r"^我对(?P<o>.{1,30}?)(?:会|都|有|有点|有些|严重|重度|轻度|很|非常|特别|极度|过度)*过敏.{0,12}$", Constraint, 9).slot(Taste),
    Pattern::new(r"^我(?P<o>[^是的有不对]{1,12}?)(?:会|严重|重度)?过敏$", Constraint, 9).slot(Taste),
    Pattern::new(r"^我(?:患有?|有|得了|确诊了?|查出了?|被诊断(?:为|出))(?:严重的?|轻度的?|慢性|先天性)?(?P<v>.{0,12}(?:过敏|综合征|症|病|炎|哮喘|高血压|低血糖|糖尿病|痛风|过敏史|近视|癫痫|结石))(?:史)?$", Constraint, 9),
    Pattern::new(r"^我(?:是)?(?P<v>(?:[^，。的]{0,6})?(?:不耐受|不耐|色盲|色弱|素食者?|素食主义者|纯素|怀孕.{0,6}|左撇子|吃素.{0,4}|吃清真.{0,4}|吃斋.{0,3}|戒糖.{0,4}|戒酒.{0,4}))(?:的|了)?$", Constraint, 8),
    Pattern::new(r"^我(?:不能|不可以|没法|不敢|不方便|忌)(?:吃|喝|碰|闻|吸|食用|接触|沾)(?P<o>.{1,24})$", Constraint, 9).slot(Taste),
    Pattern::new(r"^我(?:从|从来|向来)?不(?:吃|喝|抽|沾|碰)(?P<o>[^了下到起完过得着惯懂]{1,24}?)了?$", Constraint, 7).slot(Taste),
    Pattern::new(r"^我(?:已经)?戒(?:掉)?了?(?P<o>[^了]{1,8})了?$", Constraint, 6).slot(Taste),
    Pattern::new(r"^我(?:在吃|在服用|服用|长期服用|长期吃)(?P<v>.{1,16}(?:药|片|胶囊|剂|素))$", Constraint, 8),
    // Origin and home
    Pattern::new(r"^我家?(?:们|的家)?(?:长期|常年)?(?:住在?|家住|定居(?:在|于)?|居住(?:在|于)?|生活在|常住|常驻|租住在?|住到)了?(?P<v>.{1,30}?)了?$", Profile, 8).slot(User("location")).check(Place),
    Pattern::new(r"^(?:我家?|我们家?)(?:从.{1,16}?)?(?:搬家?|搬迁|迁居|移居|移民|定居|迁|搬回|搬去|回)(?:到|去|来|回|至|在)?了?(?P<v>[^家里]{2,20}?)(?:了|居住|生活|住|定居|这边|安家|发展)*$", Profile, 8).slot(User("location")).check(Place),
    Pattern::new(r"^我?(?:人在|坐标|base在?|常驻在?|家在)\s?(?P<v>.{2,20})$", Profile, 7).slot(User("location")).check(Place),
    Pattern::new(r"^我(?:是|来自)(?P<v>[^的是，我你他]{2,8})(?:那边)?(?:本地|土生土长的)?人$", Profile, 6).slot(User("hometown")).check(Place),
    Pattern::new(r"^我来自(?P<v>[^，]{2,16})$", Profile, 6).slot(User("hometown")).check(Place),
    Pattern::new(r"^我的?(?:老家|家乡|籍贯)(?:在|是)(?P<v>.{2,16})$", Profile, 6).slot(User("hometown")),
    Pattern::new(r"^我(?:在(?P<v>.{2,12}?)(?:出生|长大|出生长大)(?:的)?|出生(?:在|于)(?P<o>[^\d]{2,12}))$", Profile, 6).slot(User("hometown")),
    // Age and birthday
    Pattern::new(r"^我(?:今年|已经|虚岁|周岁|满)*(?P<v>\d{1,3}|[一二三四五六七八九十]{1,3})(?:周)?岁(?:了|多)?$", Profile, 6).slot(User("age")),
    Pattern::new(r"^我(?:的|过)?(?:阳历|农历|公历|阴历)?生日(?:是|在|为)?(?P<v>.{2,24})$", Profile, 8).slot(User("birthday")).check(Specific),
    Pattern::new(r"^我是?(?:出生于)?(?P<v>\d{2,4}年?.{0,8}?)(?:出生|生)?(?:的|人)?$", Profile, 7).slot(User("birthday")).check(Specific),
    Pattern::new(r"^我属(?P<v>[鼠牛虎兔龙蛇马羊猴鸡狗猪])(?:的)?$", Profile, 5).slot(User("zodiac")),
    Pattern::new(r"^我(?:是)?(?P<v>已婚|未婚|单身|离异|离婚了?|结婚.{0,6}|订婚了?|丁克|单亲.{0,4})(?:的|了)?$", Profile, 6).slot(User("marital status")),
    // Work and school
    Pattern::new(r"^我(?:从.{1,16})?(?:离职|辞职|裸辞|离开公司|被裁|被优化)(?:了|啦)?$", Profile, 7).slot(User("employer")).retracts(),
    Pattern::new(r"^我(?:已经)?(?:从)?(?P<v>[^，]{1,16}?)(?:离职|辞职)了?$", Profile, 7).slot(User("employer")).retracts(),
    Pattern::new(r"^我(?:已经)?(?:不在(?P<v>[^，]{1,16}?)(?:工作|上班|干|做|待|任职)|(?:离开|辞掉|辞去|辞)了?(?P<o>[^，]{1,16}(?:公司|集团|科技|工作|职位|职务)))了?$", Profile, 7).slot(User("employer")).retracts(),
    Pattern::new(r"^我(?:现?在|于)(?P<v>.{1,30}?)(?:里|内)?(?:当|做|担任|任职为|任|干)(?:的是)?(?:一名|一个|一位|个)?[^，]{0,16}(?:工程师|设计师|程序员|架构师|分析师|师|经理|主管|总监|主任|助理|专员|员|医生|护士|律师|教授|老师|会计|财务|运维|前端|后端|测试|开发|产品|运营|销售|客服|编辑|记者|翻译|顾问|司机|实习生|负责人|HR|PM|CTO|CEO)$", Profile, 8).slot(User("job")),
    Pattern::new(r"^我(?:是|当|做|担任|当上|做了|当了|成为|在做|在当)了?(?:一名|一个|一位|一枚|一只|个|名|位)?(?P<v>[^，。]{1,24}?)(?:的|工作|一职|了)?$", Profile, 7).slot(User("job")).check(Occupation),
    Pattern::new(r"^我(?:转行|改行|转岗|转|跳槽)(?:做|当|去做|成|到|为)了?(?P<v>[^，。]{1,20}?)了?$", Profile, 7).slot(User("job")),
    Pattern::new(r"^我(?:升职|升任|升|晋升|被提拔|升职加薪)(?:为|成|到|当)了?(?P<v>[^，。]{1,16}?)了?$", Profile, 7).slot(User("job")),
    Pattern::new(r"^我是(?:专门)?(?:做|搞|干|写|教|从事|研究|管|跑|卖|修|开)(?P<v>[^，。]{1,20})的$", Profile, 7).slot(User("job")),
    Pattern::new(r"^我(?:从事|的工作是|的职业是|的岗位是|的职位是|的本职是|的主业是)(?P<v>[^，。]{1,24}?)(?:的)?(?:工作|行业)?$", Profile, 7).slot(User("job")).check(Attribute),
    Pattern::new(r"^我(?:在|于)?(?P<v>.{1,24}(?:公司|集团|银行|医院|大学|学院|中学|小学|研究院|研究所|局|厂|科技|事务所|工作室|基金|证券|保险|传媒|超市|酒店|餐厅|书店|幼儿园|法院|报社|出版社))(?:里|内)?(?:工作|上班|任职|就职|供职|打工|干活|实习|教书|当差|做事)(?:了?.{0,8}年)?了?$", Profile, 8).slot(User("employer")).check(Organisation),
    Pattern::new(r"^我(?:在)(?P<v>(?:北京|上海|广州|深圳|杭州|成都|重庆|武汉|南京|苏州|西安|天津|长沙|厦门|青岛|大连|香港|台北|新加坡|东京|.{1,8}(?:市|省|区|县|国|洲))|家里?|远程|海外)(?:远程)?(?:办公|工作|上班|实习)(?:了?.{0,8}年)?了?$", Profile, 7).slot(User("workplace")),
    Pattern::new(r"^我(?:就职于|任职于|供职于|受雇于|效力于|给)(?P<v>[^，。]{1,24}?)(?:工作|打工)?$", Profile, 8).slot(User("employer")).check(Organisation),
    Pattern::new(r"^我在(?P<v>[^，。]{1,24}?)(?:里|内)?(?:工作|上班|任职|就职|供职|打工|实习|当差|干活)(?:了?\S{0,3}年)?了?$", Profile, 8).slot(User("employer")).check(Organisation),
    Pattern::new(r"^我(?:入职到?|加入|跳槽到|跳槽去|跳到|换工作到|新工作在|换了?(?:份|个)?工作(?:到|在|去))了?(?P<v>[^，。]{2,24}?)(?:工作|上班|这边)?了?$", Profile, 8).slot(User("employer")).check(Organisation),
    Pattern::new(r"^我(?:去|到|调到|调去|调任)了?(?P<v>[^，。]{2,24}?)(?:工作|上班|任职)了$", Profile, 8).slot(User("employer")).check(Organisation),
    Pattern::new(r"^我(?:开|创办|创立|经营|运营)(?:着|了)?(?:一)?(?:家|间|个)(?P<v>[^，。]{1,20})$", Profile, 7).slot(User("job")),
    Pattern::new(r"^我(?:负责|主管|分管|管理|维护|带领|牵头|主导|对接|管着|带着?(?:一个|\d+人))(?:着|了)?(?P<v>[^，。]{2,40})$", Profile, 6),
    Pattern::new(r"^我(?:毕业于|就?读于|考上了?|在读)(?P<v>[^，。]{2,24})$", Profile, 6).slot(User("school")),
    Pattern::new(r"^我(?:在)(?P<v>[^，。]{2,20}?)(?:读|念|上|攻读)(?:书|学|大学|高中|初中|研究生|研|博士?|硕士?|本科|大[一二三四]|研[一二三]|[一-九]年级).{0,8}$", Profile, 7).slot(User("school")),
    Pattern::new(r"^我(?:大学|本科|研究生|硕士|博士)?(?:是)?(?:学|读|念|主修)(?P<v>[^，。]{2,16}?)(?:专业)?的$", Profile, 6).slot(User("major")),
    Pattern::new(r"^我(?:在|正在|开始|打算)?(?:自学|学习?|备考|准备考|准备)(?:着|了)?(?P<v>[^，。到会过你的]{2,14}(?:语|文|证|考试|编程|开发|画画|绘画|钢琴|吉他|舞|乐器|书法|驾照|考研|雅思|托福|游泳|厨艺|烹饪|做菜|瑜伽|设计|摄影|[A-Z]\S*))了?$", Profile, 5),
    Pattern::new(r"^我(?:就)?是(?P<v>.{2,20})$", Profile, 8).slot(User("name")).check(FullName),
    Pattern::new(r"^我(?:在)?创业(?:了|中)?$", Profile, 7).slot(User("job")),
    Pattern::new(r"^我(?:大学|本科)?学的是?(?P<v>[^，。]{2,16}?)(?:专业)?$", Profile, 6).slot(User("major")),
    Pattern::new(r"^我是(?:一个|个|一名|属于)(?P<v>[^，。你我]{1,18}(?:人|者|派|族|党|控|迷|型|夜猫子|星人|新手|小白|老手|宅男|宅女|独生子|独生女|爸爸|妈妈|父亲|母亲|社恐|学渣|学霸|路痴|吃货))$", Profile, 5).check(Attribute),
    // Likes and dislikes
    Pattern::new(r"^我(?:的)?(?:喜欢|爱|常吃|爱吃|爱喝)的(?P<a>[^，。是的]{1,10}?)(?:是|就是|叫)(?P<v>[^，。]{1,30})$", Preference, 6).slot(Favourite).check(Attribute),
    Pattern::new(r"^我(?:不(?:太|怎么|是很|是特别|大|再|爱|想|那么)?(?:喜欢|爱|感冒)|讨厌|反感|厌恶|受不了|恨|不能忍受|无法忍受|接受不了|忍不了|抗拒|嫌弃|吃不惯|喝不惯|用不惯|看不惯|吃不了|喝不了){EATING}(?P<o>[^，。]{1,40}?)了?$", Preference, 6).slot(Taste),
    Pattern::new(r"^我怕(?P<o>[^，。不自说做没你会我]{1,4})$", Preference, 5).slot(Taste),
    Pattern::new(r"^我(?:的)?(?P<o>咖啡|奶茶|茶|牛排|面|拉面|火锅)(?:要|只要|只喝|喝|点|得|必须)(?P<v>[^，。]{1,16})$", Preference, 6).slot(Way),
    Pattern::new(r"^我(?:喜欢|爱|热爱|偏爱|酷爱|钟爱|喜爱|偏好|迷上了?|着迷于?|痴迷于?|爱上了?|热衷于?|沉迷于?|倾向于?|倾向){EATING}(?P<o>[^，。]{1,60}?)了?$", Preference, 6).slot(Taste),
    Pattern::new(r"^我(?:习惯|习惯于|惯用|用惯了)(?:了)?(?P<v>[^，。]{2,40})$", Preference, 6),
    Pattern::new(r"^我(?:宁愿|宁可)(?P<v>[^，。]{2,40})$", Preference, 6),
    Pattern::new(r"^我对(?P<o>[^，。]{1,20}?)(?:很|非常|特别|挺|比较|十分|一直|都|最|超)*(?:感兴趣|有兴趣|着迷|上瘾|情有独钟|没兴趣|不感兴趣|没有兴趣|无感)$", Preference, 5).slot(Taste),
    Pattern::new(r"^我是(?:一个|个|一名|资深|铁杆|忠实|超级|重度|骨灰级)*(?P<o>[^，。你]{1,12}?)(?:的)?(?:忠实|铁杆|资深)?(?:粉丝|爱好者|发烧友|球迷|影迷|控|迷|党|粉)$", Preference, 5).slot(Taste),
    Pattern::new(r"^我的?(?:业余)?(?:爱好|兴趣爱好|兴趣)(?:是|包括|有)(?P<v>[^，。]{1,40})$", Preference, 6).check(Attribute),
    Pattern::new(
        r"^我(?P<a>[^，。是的]{0,6}(?:号|号码|邮箱|密码|工位|网址|账号|帐号|地址|端口|型号|尺码|鞋码|血型|身高|体重|时区|微信|电话))(?:是|为|在|:|改成了?|换成了?)(?P<v>[^，。].{0,60})$",
        Fact,
        6,
    )
    .slot(Mine)
    .check(Attribute),
    Pattern::new(r"^我(?:喜欢|爱)(?:吃|喝|看|听|玩|用|去|做)?的是(?P<o>[^，。]{1,40})$", Preference, 6).slot(Taste),
    // Tools, languages, habits
    Pattern::new(r"^我(?:把)(?P<a>[^，。]{1,10}?)(?:从[^，。]{1,12}?)?(?:换成|改成|改为|升级到|升级成|换到|迁移到)了?(?P<v>[^，。]{1,30}?)了?$", Profile, 5).slot(MyRole),
    Pattern::new(r"^我(?:写|用|使用|改用|转用|改写)(?:了)?(?P<v>[A-Z][A-Za-z0-9_+#.]*(?: [A-Z][A-Za-z0-9]+)?)(?:语言|代码)?(?:了|的|编程|开发|写代码)?$", Profile, 6).slot(Code),
    Pattern::new(r"^我(?:用的?|使用的?)(?:的)?(?:编程|开发)?语言是(?P<v>.+)$", Profile, 6).slot(User("programming language")),
    Pattern::new(r"^我(?:改|转|换)?(?:用|使用)(?:的是|的都是|了)?(?P<v>[^，。]{1,20}?)(?:来|做|写|记|管理|看|画|编辑|办公|处理|搭)(?P<a>[^，。]{1,14})$", Profile, 5).slot(MyRole).check(Specific),
    Pattern::new(r"^我的(?P<a>[^，。的]{1,10}?)(?:用的(?:都)?是|使用的是|换成了?|改成了?|改用了?|升级到了?|升级成了?|用|是用)(?P<v>[^，。]{1,30}?)了?$", Profile, 5).slot(Mine).check(Specific),
    Pattern::new(r"^我(?:用的?(?:都)?(?:是)?|使用(?:的是)?|换成了?|换了?|改用了?|入手了?)(?P<v>[^，。]{1,30}?)(?:了)?$", Profile, 5).slot(Stack).check(Specific),
    Pattern::new(r"^我(?:会|能|只会)(?:说|讲|弹|拉|写|用|开)(?P<v>[^，。一你]{1,20})$", Profile, 5),
    Pattern::new(r"^我(?:擅长|精通|熟悉|不熟悉|不擅长|不会(?:写|用|说|开|做|弹)|看不懂|没用过|没学过|没接触过)(?P<v>[^，。]{1,24})$", Profile, 5),
    Pattern::new(r"^我(?P<v>[^，。你]{2,40})$", Profile, 5).check(Recurring),
    Pattern::new(r"^我(?P<v>\d+(?:公分|厘米|cm|kg|斤|公斤)|身高.{1,8}|体重.{1,8}|是?(?:[ABO]|AB)型血|是?[\u{4e00}-\u{9fff}]{2}座)(?:的)?$", Profile, 5),
    // Where things are, and other properties
    Pattern::new(r"^我(?:的|把)(?P<a>[^，。是]{1,14}?)(?:都)?(?:放在|位于|存放在|存在|藏在|锁在|停在|寄存在|收在|搁在|在)(?P<v>[^，。]{1,40}?)了?$", Fact, 6).slot(Mine).check(Settled),
    Pattern::new(r"^我(?:的|家的?)(?P<a>[^，。是]{1,16}?)(?:是|为|叫|:|：|改成了?|换成了?|改为了?|变成了?|设(?:置)?(?:为|成))(?P<v>[^，。].{0,80})$", Fact, 6).slot(Mine).check(Attribute),
    Pattern::new(r"^我(?:只能|必须|不能|没法|没办法|不方便)(?P<v>[^，。]{2,40})$", Constraint, 7).check(Recurring),
    Pattern::new(r"^我(?P<v>[^，。]{0,10}预算[^，。]{0,8}(?:\d|[一二三四五六七八九十百千万])[^，。]{0,16})$", Constraint, 7).slot(User("budget")),
    // Plans, life events, lasting worries
    Pattern::new(r"^我(?:们)?(?:打算|计划|准备|要|将|会|预计|定了|订了)(?P<v>[^，。]{2,60})$", Event, 5).check(Planned),
    Pattern::new(r"^我(?:.{0,6}(?:通过了|考过了|拿到了|拿下了|考上了|毕业了|退休了|确诊了|获得了|升职了|结婚了|当爸爸了|当妈妈了)|(?:买了(?:房|车|一套房|一辆车)|做了.{1,8}手术|得了.{1,10}奖))(?P<v>.{0,30})$", Event, 5).check(Attribute),
    Pattern::new(r"^我(?:.{0,4})(?:担心|焦虑|害怕|失眠|孤独|抑郁|自卑|压力很大|压力特别大|社恐)(?P<v>.{0,40})$", Emotion, 3).check(Lasting),
];
